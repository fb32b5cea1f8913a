import type { RunHeader } from '../../../record/types/record.js'
import { type Verdict, verdicts } from '../../../record/types/verdict.js'
import { divergenceInWords, seenDivergences } from '../../summary/divergences.js'
import { mutationSentence, ruleMutationText } from '../../summary/mutation-text.js'
import { isUnjudgedRule, isUnmetRule, type RuleLine, ruleMatrix } from '../../summary/rule-matrix.js'
import { textInWords } from '../../wording/run-text.js'
import { ruleTag, verdictIcon } from '../../wording/terms.js'
import { count } from '../../wording/words.js'
import { Passages } from '../parts/rule-cards.js'
import { ScrollTable } from '../parts/scroll-box.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf, goTo, type Route } from '../state/route.js'

const choices: readonly [word: string, name: string, shows: (rule: RuleLine) => boolean][] = [
  ['', 'All', () => true],
  ['unmet', 'Not met', isUnmetRule],
  ['gap', 'Not judged', isUnjudgedRule],
]

export function RulesView({ run, route }: { run: LoadedRun; route: Route }) {
  const { header, rows } = run
  const text = textInWords(header)
  const matrix = ruleMatrix(
    header,
    rows.map((row) => row.rules),
  )
  const [word, , shows] = choices.find(([known]) => known === route.search) ?? ['', 'All', () => true]
  const shown = matrix.filter(shows)
  return (
    <>
      <h2>Rules</h2>
      <p class="muted">
        Each row counts for the rules that its judgements name: one unmet judgement fails only its own rules. A row
        without judgements counts with its verdict for each of its rules.
        {text !== undefined && ` Interface text: ${text}.`} {mutationSentence(header)}
      </p>
      <fieldset class="segments">
        <legend class="hidden">Rules to show</legend>
        {choices.map(([known, name, those]) => (
          <label key={known}>
            <input
              type="radio"
              name="rules"
              checked={known === word}
              onChange={() => goTo({ view: 'rules', search: known }, 'replace')}
            />
            <span>
              {name} ({matrix.filter(those).length})
            </span>
          </label>
        ))}
      </fieldset>
      <ScrollTable className="card matrix" name="Rules and the verdicts of their rows">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              {verdicts.map((verdict) => (
                <th key={verdict} scope="col" class="number">
                  <span aria-hidden="true">{verdictIcon[verdict]}</span> {verdict}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((rule) => (
              <RuleRow key={rule.id} rule={rule} header={header} />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <p>No such rule.</p>}
      </ScrollTable>
      <Divergences run={run} />
    </>
  )
}

function RuleRow({ rule, header }: { rule: RuleLine; header: RunHeader }) {
  return (
    <tr>
      <th scope="row">
        <code>{rule.id}</code> <span class="tag">{ruleTag(rule)}</span>
        <span class="rule-text">{rule.statement}</span>
        <Passages passages={rule.passages} />
        {rule.rows === 0 && <span class="note">{reasonUntested(rule, header)}</span>}
        <Proven rule={rule} header={header} />
      </th>
      {verdicts.map((verdict) => (
        <td key={verdict} class="number">
          <Cell rule={rule} verdict={verdict} />
        </td>
      ))}
    </tr>
  )
}

function Proven({ rule, header }: { rule: RuleLine; header: RunHeader }) {
  const known = isObliging(rule) ? ruleMutationText(rule.id, header) : undefined
  return known === undefined ? null : <span class="note">{known}</span>
}

const isObliging = ({ untestable, strength }: RuleLine): boolean => untestable === undefined && strength !== 'client'

function Cell({ rule, verdict }: { rule: RuleLine; verdict: Verdict }) {
  const rows = rule.counts[verdict]
  if (rows === 0) return <span class="none">0</span>
  return (
    <a
      class={`cell ${verdict}`}
      href={addressOf({ view: 'rows', search: `says:${rule.id}=${verdict}` })}
      aria-label={`${count(rows, 'row')} ${verdict} for ${rule.id}`}
    >
      {rows}
    </a>
  )
}

function reasonUntested({ untestable, strength, factOf }: RuleLine, { profile }: RunHeader): string {
  if (factOf !== undefined && profile.basis === 'text')
    return `A fact of ${factOf}: not an obligation by the text alone.`
  if (untestable !== undefined) return `Cannot be tested: ${untestable}`
  if (strength === 'client') return 'An obligation of clients: not tested on a participant.'
  return 'No row of this run judges this rule.'
}

function Divergences({ run }: { run: LoadedRun }) {
  const { profile } = run.header
  const { divergences } = profile
  const seen = new Map(seenDivergences(run.rows, run.header).map((one) => [one.id, divergenceInWords(one)]))
  if (divergences.length === 0) return null
  return (
    <section class="card" aria-labelledby="divergences">
      <h2 id="divergences">Divergences of the profile from the interface text</h2>
      <p class="muted">For these rules the profile ({profile.title}) replaces the interface text.</p>
      <ul class="plain">
        {divergences.map(({ id, rule, statement, source }) => (
          <li key={id}>
            <a href={addressOf({ view: 'rows', search: `divergence:${id}` })}>{id}</a> ({rule}): {statement}{' '}
            <span class="muted">
              {source}; {seen.get(id) ?? 'in no row of this run'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
