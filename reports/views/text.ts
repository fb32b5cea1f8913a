/** The interface text along its outline: each passage with the state of its rules. */
import { groupBy } from '../../lib/group-by.js'
import type { RunHeader } from '../../record/types/record.js'
import { html, type Markup } from '../markup/html-template.js'
import { textInWords } from '../wording/run-text.js'
import { count } from '../wording/words.js'
import { ruleAddress } from './links.js'
import { type JudgedRule, type RuleState, ruleStates, stateSigns } from './rule-states.js'

interface Passage {
  section: string
  /** `4.2`: section and passage; empty if the outline lacks it. */
  ordinal: string
  name: string
  /** With `--text`. */
  sentence?: string
}

interface JudgedPassage extends Passage {
  rules: JudgedRule[]
  state: RuleState
  why: string
}

export function textView(rules: readonly JudgedRule[], header: RunHeader): Markup {
  const passages = judgedPassages(rules, header)
  const totals = ruleStates.flatMap((state) => {
    const total = passages.filter((passage) => passage.state === state).length
    return total > 0 ? [`${total} ${stateSigns[state][1]}`] : []
  })
  return html`<section class="view-text new-page" aria-labelledby="text">
<h2 id="text">The text</h2>
<p class="muted">${textInWords(header) ?? 'The record names no interface text.'}${header.text ? html` SHA-256 <code>${header.text.digest}</code>.` : undefined}</p>
<p>${count(passages.length, 'passage')}: ${totals.join(', ')}.</p>
${[...groupBy(passages, ({ section }) => section)].map(
  ([section, some]) =>
    html`<section class="card text-section"><h3>${section}</h3><ul class="passages">${some.map(passageLine)}</ul></section>`,
)}
</section>`
}

function passageLine({ name, sentence, rules, state, why }: JudgedPassage): Markup {
  const [sign, words] = stateSigns[state]
  const links = rules.map(
    (rule) => html`<a href="${ruleAddress(rule.id)}" title="${rule.statement}"><code>${rule.id}</code></a> `,
  )
  return html`<li class="${state}"><span class="mark" title="${words}"><span aria-hidden="true">${sign}</span><span class="hidden">${words}</span></span>
<span><span class="sentence">${sentence ?? name}</span> <span class="muted">${links}${why === '' ? '' : `${words}: ${why}`}</span></span></li>\n`
}

/** In the order of the text. */
function judgedPassages(rules: readonly JudgedRule[], { text }: RunHeader): JudgedPassage[] {
  const found = rules.flatMap((rule) => (rule.passages ?? []).map((place): [string, JudgedRule] => [place, rule]))
  const ruled = [...groupBy(found, ([place]) => place)].map(([place, pairs]): JudgedPassage => {
    const own = pairs.map(([, rule]) => rule)
    const state = ruleStates.find((one) => own.some((rule) => rule.state === one)) ?? 'met'
    const why = own.find((rule) => rule.state === state)?.why ?? ''
    return { ...passageOf(place), rules: own, state, why }
  })
  const unruled = (text?.unruled ?? []).map(
    ({ passage, because, open }): JudgedPassage => ({
      ...passageOf(passage),
      rules: [],
      state: open ? 'open' : 'untested',
      why: because,
    }),
  )
  return [...ruled, ...unruled].sort((a, b) => compareOrdinals(a.ordinal, b.ordinal))
}

/** `ContractByIdRequest 4.2 (contractId required)`, with `: "sentence"` after `--text`. */
function passageOf(place: string): Passage {
  const [, section = place, ordinal = '', name = '', sentence] =
    /^(.*?)(?: (\d+\.\d+))? \(([^"]*?)\)(?:: "(.*)")?$/s.exec(place) ?? []
  return { section, ordinal, name, ...(sentence !== undefined && { sentence }) }
}

function compareOrdinals(a: string, b: string): number {
  const [section = 0, passage = 0] = a.split('.').map(Number)
  const [otherSection = 0, otherPassage = 0] = b.split('.').map(Number)
  return section - otherSection || passage - otherPassage
}
