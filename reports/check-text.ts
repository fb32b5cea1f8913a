import type { Check, Matcher } from '../record/resolved-row.js'

/** A check in words, as it would stand behind "expects". */
export function checkText(check: Check): string {
  switch (check.on) {
    case 'status':
      return `status ${check.oneOf.join(' or ')}`
    case 'no-server-error':
      return `no server error (5xx)${check.except.length > 0 ? ` but ${check.except.join(', ')}` : ''}`
    case 'media-type':
      return `media type ${check.equals}`
    case 'header':
      return `header ${check.name}: ${matcherText(check.matcher)}`
    case 'body':
      return `body ${check.pointer || '(whole)'}: ${matcherText(check.matcher)}${check.optional ? ', if it is there' : ''}`
    case 'text':
      return `a body that mentions ${check.mentions}`
    case 'hash':
      return 'a body that names the hash to be signed'
    case 'resources':
      return `resources ${check.kinds.join(', ')}`
    case 'json':
      return 'a success told as JSON'
    case 'shape':
      return `a success as the interface describes it${check.basis === 'facts' ? ', with what is known of the reference' : ''}`
    case 'winners':
      return `${check.count} of them accepted${check.same ? ', or several with one answer' : ''}`
    case 'effects':
      return `a ledger that holds ${check.untold === 0 ? 'nothing' : `at most ${check.untold}`} of the row that no answer told of, where it is ${check.when}`
  }
}

/** Matchers that want nothing but to be met. */
const flags: ReadonlySet<string> = new Set(['present', 'null', 'empty', 'unpopulated', 'timestamp', 'optional'])

const matcherText = (matcher: Matcher): string =>
  Object.entries(matcher)
    .map(([name, wanted]) => (flags.has(name) && wanted === true ? name : `${name} ${JSON.stringify(wanted)}`))
    .join(' and ')
