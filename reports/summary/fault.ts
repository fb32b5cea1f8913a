/** The kind of an unmet judgement, without values that differ between rows. */
import type { Judgement } from '../../record/types/record.js'
import { cut } from '../wording/hostile-text.js'
import { subjectText } from '../wording/rows.js'
import { roleWords } from '../wording/terms.js'
import { withoutVolatile } from '../wording/volatile.js'

type Judged = Pick<Judgement, 'role' | 'subject' | 'pointer' | 'expected' | 'actual'>

const longestPart = 200

/** `body /createdEvent/contractId: expected string, found number` */
export const faultText = (judgement: Judged): string => {
  const pointer = judgement.subject === 'body' ? pointerOf(judgement) : judgement.pointer
  const subject = subjectText({ subject: judgement.subject, ...(pointer !== undefined && { pointer }) })
  return cut(withoutVolatile(`${placeOf(judgement)}${subject}: ${kindOf(judgement)}`), 2 * longestPart)
}

/** A wrong member is the same fault in the answer to any step; another difference is not. */
const placeOf = ({ role, subject }: Judged): string =>
  role === 'act' || subject === 'body' ? '' : `${roleWords[role]}, `

const missingMember = /^must have required property '(.+)'$/s

function pointerOf({ pointer = '', expected }: Judged): string {
  const member = missingMember.exec(expected)?.[1]
  const path = member === undefined ? pointer : `${pointer}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return path.replace(/\/\d+(?=\/|$)/g, '/*')
}

function kindOf(judgement: Judged): string {
  const { subject, expected, actual } = judgement
  if (subject === 'status') return statusKind(expected, actual)
  if (subject === 'body') return bodyKind(judgement)
  // An effect has no expected value, and its finding names times and ids.
  if (subject === 'ledger') return `expected ${cut(expected, longestPart)}`
  return `expected ${cut(expected, longestPart)}, found ${cut(actual, longestPart)}`
}

/** A request accepted by mistake is one kind, for all statuses of its rejection. */
function statusKind(expected: string, actual: string): string {
  const wanted = expected.match(/\b[345](?:\d\d|xx)\b/g) ?? []
  const isAccepted = /^2\d\d/.test(actual) && wanted.length > 0 && !/\b2(?:\d\d|xx)\b/.test(expected)
  const classes = [...new Set(wanted.map((status) => `${status[0]}xx`))]
  return `expected ${isAccepted ? classes.join(' or ') : expected}, found ${actual}`
}

function bodyKind({ expected, actual }: Judged): string {
  if (missingMember.test(expected) || actual === 'nothing') return 'missing'
  if (/^not present\b/.test(expected)) return 'must be absent'
  if (/^unpopulated\b/.test(expected)) return 'must be unpopulated'
  const [wanted, found] = [expectedType(expected), typeOf(actual)]
  if (found === undefined) return actual === 'invalid JSON' ? actual : 'wrong value'
  return wanted === undefined || wanted === found ? `wrong ${found}` : `expected ${wanted}, found ${found}`
}

const typeWords: Readonly<Record<string, string>> = {
  '"': 'string',
  '[': 'array',
  '{': 'object',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
}

/** Of JSON text, which can be cut. */
function typeOf(json: string): string | undefined {
  if (/^(?:["[{]|(?:true|false|null)$)/.test(json)) return typeWords[json[0] ?? '']
  return /^-?\d/.test(json) ? 'number' : undefined
}

/** The texts are those of `runner/judge/matchers.ts` and of the schema check. */
const expectedTypes: readonly [pattern: RegExp, type?: string][] = [
  [/^must be (string|integer|number|boolean|array|object|null)\b/],
  [/^a value of type "(\w+)"/],
  [/^(?:a string|a valid|a timestamp|the time|a time)\b/, 'string'],
  [/^(?:an array|a non-empty array|exactly the set|a subset|a superset|at least one element)\b/, 'array'],
  [/^an object\b/, 'object'],
  [/^(?:greater than|at least) -?\d/, 'number'],
]

function expectedType(expected: string): string | undefined {
  for (const [pattern, type] of expectedTypes) {
    const found = pattern.exec(expected)
    if (found) return type ?? found[1]
  }
  return typeOf(expected.replace(/^one of \[/, '').replace(/, or absent$/, ''))
}
