import type { Check, Data, Matcher } from '../../record/types/resolved-row.js'

export function checkText(check: Check): string {
  switch (check.on) {
    case 'status':
      return `status ${check.oneOf.join(' or ')}`
    case 'no-server-error':
      return `no server error (5xx)${check.except.length > 0 ? ` except ${check.except.join(', ')}` : ''}`
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

/** Matchers whose value is only `true` or `false`. */
const flags: ReadonlySet<string> = new Set(['present', 'null', 'empty', 'unpopulated', 'timestamp', 'optional'])

/** Matchers whose value is a matcher of the items. */
const quantifiers: Readonly<Record<string, string>> = {
  each: 'a non-empty array; each item:',
  every: 'an array; each item:',
  some: 'an array; at least one item:',
}

const matcherText = (matcher: Record<string, Data> | Matcher): string =>
  Object.entries(matcher)
    .map(([name, wanted]) => matchText(name, wanted))
    .join(' and ')

function matchText(name: string, wanted: Data): string {
  if (flags.has(name)) return wanted === true ? name : `not ${name}`
  if (name === 'type') return `type ${String(wanted)}`
  if (name === 'grammar') return `a valid ${String(wanted)}`
  if (name === 'length') return `${String(wanted)} items`
  if (name === 'keys') return `${String(wanted)} keys`
  const quantifier = quantifiers[name]
  if (quantifier !== undefined && isMatcher(wanted)) return `${quantifier} (${matcherText(wanted)})`
  if (name === 'at' && isMatcher(wanted))
    return Object.entries(wanted)
      .map(([pointer, inner]) => `${pointer}: ${isMatcher(inner) ? matcherText(inner) : JSON.stringify(inner)}`)
      .join(', ')
  return `${name === 'mentions-none' ? 'mentions none of' : name.replaceAll('-', ' ')} ${JSON.stringify(wanted)}`
}

const isMatcher = (value: Data): value is Record<string, Data> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
