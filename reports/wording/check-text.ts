import type { Check, Matcher } from '../../record/types/resolved-row.js'

/** A check as the text that follows "expects". */
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
      return `body ${check.pointer || '(whole)'}: ${matcherText(check.matcher)}${check.optional ? ', or absent' : ''}`
    case 'text':
      return `a body that contains ${check.mentions}`
    case 'hash':
      return 'a body that contains the hash to be signed'
    case 'resources':
      return `resources ${check.kinds.join(', ')}`
    case 'json':
      return 'a 2xx body is valid JSON'
    case 'shape':
      return `a 2xx body matches the schema${check.basis === 'facts' ? ' (including fields observed on the reference)' : ''}`
    case 'winners':
      return `${check.count} of the concurrent requests accepted${check.same ? ', or several with the same response' : ''}`
    case 'effects':
      return effectsText(check)
  }
}

function effectsText({ untold, when }: Extract<Check, { on: 'effects' }>): string {
  const transactions =
    untold === 0
      ? 'no unreported transaction'
      : `at most ${untold} unreported ${untold === 1 ? 'transaction' : 'transactions'}`
  return `if ${when === 'refused' ? 'rejected' : when}: the ledger contains ${transactions} of this row`
}

/** Matchers without an argument. */
const flags: ReadonlySet<string> = new Set(['present', 'null', 'empty', 'unpopulated', 'timestamp', 'optional'])

const matcherText = (matcher: Matcher): string =>
  Object.entries(matcher)
    .map(([name, wanted]) => (flags.has(name) && wanted === true ? name : `${name} ${JSON.stringify(wanted)}`))
    .join(' and ')
