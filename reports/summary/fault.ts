/** The kind of an unmet judgement, without values that differ between rows. */
import type { CheckedFact } from '../../record/types/reason.js'
import type { ExchangeRole } from '../../record/types/record.js'
import type { CheckName } from '../../record/types/resolved-row.js'
import { wantedClause, wantedText } from '../wording/fact-text.js'
import { cut } from '../wording/hostile-text.js'
import { foundText } from '../wording/reason-words.js'
import { subjectText } from '../wording/rows.js'
import { roleWords } from '../wording/terms.js'

const longestPart = 200

export interface JudgedFault {
  /** `body /createdEvent/contractId: expected string, found number` */
  sentence: string
  /** Values of one row, if the kind is without them; `wanted` only if the sentence lacks it. */
  example?: { wanted?: string; found: string }
}

/** The fact of a reason has no role. */
interface Unmet extends CheckedFact {
  role?: ExchangeRole
}

export function faultOf(judgement: Unmet): JudgedFault {
  const { subject, pointer } = judgement
  const path = subject === 'body' ? pointerOf(judgement) : pointer
  const where = `${placeOf(judgement)}${subjectText({ subject, ...(path !== undefined && { pointer: path }) })}`
  const wanted = cut(wantedClause(judgement), longestPart)
  const found = cut(foundText(judgement), longestPart)
  const sentence = (kind: string): string => cut(`${where}: ${kind}`, 2 * longestPart)
  if (subject === 'status') return { sentence: sentence(statusKind(judgement)) }
  if (subject === 'body') return { sentence: sentence(bodyKind(judgement)), example: { wanted, found } }
  // An effect has no expected value, and its finding names times and ids.
  if (subject === 'ledger') return { sentence: sentence(wanted), example: { found } }
  return { sentence: sentence(`${wanted}, found ${found}`) }
}

/** A wrong member or header is the same fault in the answer to any step; another difference is not. */
const placeOf = ({ role = 'act', subject }: Unmet): string =>
  role === 'act' || subject === 'body' || subject.startsWith('header ') ? '' : `${roleWords[role]}, `

const isMissingMember = ({ check, wanted: [keyword] }: CheckedFact): boolean =>
  check === 'shape' && keyword === 'required'

function pointerOf(judgement: CheckedFact): string {
  const { pointer = '', wanted } = judgement
  const [, member = ''] = isMissingMember(judgement) ? wanted : []
  const path = member === '' ? pointer : `${pointer}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return path.replace(/\/\d+(?=\/|$)/g, '/*')
}

/** A request accepted by mistake is one kind, for all statuses of its rejection. */
function statusKind(judgement: CheckedFact): string {
  const { check, wanted, found } = judgement
  const classes = [...new Set(wanted.map((status) => `${status[0]}xx`))]
  const isAccepted = check === 'status' && found[0]?.[0] === '2' && !classes.includes('2xx')
  return `expected ${isAccepted ? classes.join(' or ') : wantedText(judgement)}, found ${foundText(judgement)}`
}

function bodyKind(judgement: CheckedFact): string {
  const { check, wanted, found, notJson } = judgement
  if (notJson) return 'invalid JSON'
  if (isMissingMember(judgement) || found[0] === undefined) return 'missing'
  if (check === 'present' && wanted[0] === 'false') return 'must be absent'
  if (check === 'unpopulated' && wanted[0] !== 'false') return 'must be unpopulated'
  if (flags.has(check)) return `expected ${wantedText(judgement)}`
  const mention = mentionKinds.get(check)
  if (mention !== undefined) return mention
  const [wantedType, foundType] = [wantedTypeOf(judgement), typeOf(found[0])]
  if (foundType === undefined) return 'wrong value'
  return wantedType === undefined || wantedType === foundType
    ? `wrong ${foundType}`
    : `expected ${wantedType}, found ${foundType}`
}

/** Their wanted value is a boolean, whatever the type of the member. */
const flags: ReadonlySet<string> = new Set<CheckName>(['present', 'null', 'empty', 'unpopulated'])

const literals: Readonly<Record<string, string>> = { true: 'boolean', false: 'boolean', null: 'null' }
const beginnings: Readonly<Record<string, string>> = { '"': 'string', '[': 'array', '{': 'object' }

/** Of JSON text, which can be cut. */
const typeOf = (json: string): string | undefined =>
  beginnings[json[0] ?? ''] ?? literals[json] ?? (/^-?\d/.test(json) ? 'number' : undefined)

/**
 * JSON type that a check requires, if its wanted value has another type. A map: a record of any origin may name another
 * check.
 */
const requiredTypes: ReadonlyMap<string, string> = new Map<CheckName, string>([
  ['timestamp', 'string'],
  ['each', 'array'],
  ['every', 'array'],
  ['some', 'array'],
  ['length', 'array'],
  ['shown-events', 'array'],
  ['keys', 'object'],
])

/** Their wanted value is a part of a text: a hash that begins with a digit is no number. */
const mentionKinds: ReadonlyMap<string, string> = new Map<CheckName, string>([
  ['hash', 'no mention of the hash to sign'],
  ['text', 'no mention of the expected text'],
  ['mentions', 'no mention of the expected text'],
  ['mentions-none', 'mention of a text that must be absent'],
])

function wantedTypeOf({ check, wanted: [value = '', argument = ''] }: CheckedFact): string | undefined {
  // Its wanted value has pointers as names.
  if (check === 'at') return undefined
  if (check === 'shape') return value === 'type' ? argument.split(',')[0] : undefined
  if (check === 'type') return value.replaceAll('"', '')
  if (check === 'one-of') return typeOf(value.slice(1))
  return requiredTypes.get(check) ?? typeOf(value)
}
