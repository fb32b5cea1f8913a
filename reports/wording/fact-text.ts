import type { CheckedFact } from '../../record/types/reason.js'
import type { Check, CheckName, Data, Matcher, MatcherName } from '../../record/types/resolved-row.js'

interface Wanted {
  wanted: string[]
  optional?: true
  /** A record of any origin may name another check. */
  check: string
}

/** Rules of the schema are clauses; the word "expected" introduces other texts. */
export function wantedClause(fact: CheckedFact): string {
  const text = wantedText(fact)
  return fact.check === 'shape' && isClause(fact) ? text : `expected ${text}`
}

export function wantedText(fact: Wanted): string {
  const { check, wanted, optional } = fact
  const [value = '', more = ''] = wanted
  const text = isNameIn(matchers, check)
    ? matchers[check](value, more)
    : isNameIn(others, check)
      ? others[check](fact)
      : check
  return optional ? `${text}, or absent` : text
}

/** A check of a row, in the words of its judgements. */
export function checkText(check: Check): string {
  const text = (...wanted: string[]): string => wantedText({ check: check.on, wanted })
  switch (check.on) {
    case 'status':
      return `status ${text(...check.oneOf)}`
    case 'no-server-error':
      return text(...check.except)
    case 'media-type':
      return `media type ${text(check.equals)}`
    case 'header':
      return `header ${check.name}: ${matcherText(check.matcher)}`
    case 'body':
      return `body ${check.pointer || '(whole)'}: ${matcherText(check.matcher)}${check.optional ? ', or absent' : ''}`
    case 'text':
      return `body: ${text(check.mentions)}`
    case 'hash':
      return `body: ${text()}`
    case 'resources':
      return text(...check.kinds)
    case 'json':
      return `a 2xx body: ${text()}`
    case 'shape':
      return `a 2xx body: ${text(check.operation)}${check.basis === 'facts' ? ' (including fields observed on the reference)' : ''}`
    case 'winners':
      return text(String(check.count), 'the concurrent requests', ...(check.same ? ['same'] : []))
    case 'effects':
      return `if ${check.when === 'refused' ? 'rejected' : check.when}, on the ledger: ${text(String(check.untold))}`
  }
}

const matcherText = (matcher: Matcher): string =>
  Object.entries(matcher)
    .map(([check, data]) => wantedText({ check, wanted: wantedBy(check, data) }))
    .join(' and ')

function wantedBy(matcher: string, data: Data): string[] {
  if (matcher !== 'same-items') return [JSON.stringify(data)]
  const { as, by }: { as?: unknown; by?: unknown } = Object(data)
  return [JSON.stringify(as), String(by)]
}

/** Of its own members, not of each object, such as `constructor`. */
const isNameIn = <Names extends object>(names: Names, name: PropertyKey): name is keyof Names =>
  Object.hasOwn(names, name)

/** Without the finding of an oracle. */
export function foundValueText({ check, found, notJson }: CheckedFact): string {
  if (notJson) return 'invalid JSON'
  const [value, more] = found
  switch (check) {
    case 'status':
      return more === undefined ? (value ?? 'nothing') : `${value}, a redirect to ${more}`
    case 'json':
      return 'valid JSON'
    case 'winners':
      return `${value} accepted`
    case 'effects':
      return found.length === 0 ? 'none' : effectsText(found)
    case 'answer':
      return more ?? (value === 'cut' ? 'a partly recorded answer' : 'no answer')
    case 'resources':
      return value === undefined ? 'nothing' : found.join(', ')
    default:
      return value ?? 'nothing'
  }
}

/** The status of the answer, or an empty string, and the ids of unreported updates. */
function effectsText([status = '', ...updates]: readonly string[]): string {
  const isAccepted = status.startsWith('2')
  const outcome = status === '' ? 'not answered' : `${isAccepted ? 'accepted' : 'rejected'} with ${status}`
  const ids = updates.map((id) => `update ${id}`).join(', ')
  return `${outcome}, but ${isAccepted ? 'also committed' : 'committed'}: ${ids}`
}

type OtherCheck = Exclude<CheckName, MatcherName>

const isClause = ({ wanted: [, argument] }: Wanted): boolean => argument !== undefined

const others: { readonly [Name in OtherCheck]: (fact: Wanted) => string } = {
  status: ({ wanted }) => wanted.join(' or '),
  'no-server-error': ({ wanted }) => `no server error (5xx)${wanted.length > 0 ? ` except ${wanted.join(', ')}` : ''}`,
  'media-type': ({ wanted: [type = ''] }) => type,
  text: ({ wanted: [text] }) => `mention of ${text}`,
  hash: ({ wanted: [hash] }) =>
    hash === undefined ? 'mention of the hash to sign' : `mention of the hash to sign, ${hash}`,
  resources: ({ wanted }) => `resources ${wanted.join(', ')}`,
  json: () => 'valid JSON',
  shape: ({ wanted: [keyword = '', argument] }) => schemaText(keyword, argument),
  winners: ({ wanted: [number, of, same] }) =>
    `${number} of ${of} accepted${same === undefined ? '' : ', or several with the same answer'}`,
  effects: ({ wanted: [most = '0'] }) =>
    `${most === '0' ? 'no' : `at most ${most}`} transaction that no answer reports`,
  answer: () => 'a complete answer',
  oracle: () => 'the transactions that the answers report, and no others',
  variable: ({ wanted: [matcher, message] }) => `${matcher}, but ${message}`,
}

/** Without an argument, the keyword is the operation of the schema. */
function schemaText(keyword: string, argument: string | undefined): string {
  if (argument === undefined) return `a response that matches the schema of ${keyword}`
  if (keyword === 'required') return `must have required property '${argument}'`
  return keyword === 'type' ? `must be ${argument}` : argument
}

const flag =
  (isSet: string, isUnset: string) =>
  (value: string): string =>
    value === 'false' ? isUnset : isSet

/** `value`: JSON text. */
const matchers: { readonly [Name in MatcherName]: (value: string, more: string) => string } = {
  equals: (value) => value,
  'one-of': (value) => `one of ${value}`,
  type: (value) => `a value of type ${value}`,
  pattern: (value) => `a string that matches the pattern ${value}`,
  grammar: (value) => `a valid ${value}`,
  present: flag('present', 'not present'),
  null: flag('null', 'present and not null'),
  empty: flag('empty', 'a non-empty string, array or object'),
  unpopulated: flag(
    'unpopulated (absent, null or the empty value of its type)',
    'populated (neither absent, nor null, nor the empty value of its type)',
  ),
  timestamp: flag('a timestamp', 'present and not a timestamp'),
  'same-time': (value) => `the time ${value}`,
  'not-before': (value) => `a time not before ${value}`,
  'same-set': (value) => `exactly the set ${value}`,
  'same-items': (value, by) => `an array whose items have the same ${by} as ${value}`,
  'subset-of': (value) => `a subset of ${value}`,
  'superset-of': (value) => `a superset of ${value}`,
  intersects: (value) => `at least one element of ${value}`,
  each: (value) => `a non-empty array with each item matching ${value}`,
  every: (value) => `an array, possibly empty, with each item matching ${value}`,
  some: (value) => `an array with an item matching ${value}`,
  includes: (value) => `an object that includes ${value}`,
  at: (value) => `a value matching ${value} at these pointers`,
  length: (value) => `${value} items`,
  'shown-events': (value) => `${value} items of the kinds CreatedEvent and ArchivedEvent`,
  keys: (value) => `an object with exactly ${value} ${value === '1' ? 'key' : 'keys'}`,
  'greater-than': (value) => `greater than ${value}`,
  'at-least': (value) => `at least ${value}`,
  mentions: (value) => `mention of ${value}`,
  'mentions-none': (value) => `no mention of ${value}`,
}
