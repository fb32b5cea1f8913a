/** The same patterns as in openapi.yaml. */
export interface Grammar {
  /** The type in messages of the reference participant. */
  description: string
  pattern: RegExp
  /** In UTF-16 units. */
  maxLength: number
  /** The message for an invalid string. */
  complain(text: string, grammar: Grammar): string
}

/**
 * Undefined for a valid string. Messages as observed on Canton 3.5.10, so clients that search for them work with the
 * simulator.
 */
export function violation(grammar: Grammar, text: string): string | undefined {
  if (text.length <= grammar.maxLength && grammar.pattern.test(text)) return undefined
  return grammar.complain(text, grammar)
}

/** `allowed`: the content of a character class. */
function characters(description: string, allowed: string, maxLength: number): Grammar {
  const legal = new RegExp(`[${allowed}]`)
  return {
    description,
    pattern: new RegExp(`^[${allowed}]+$`),
    maxLength,
    complain(text) {
      if (text === '') return `${description} is empty`
      if (text.length > maxLength) return `${description} is too long (max: ${maxLength})`
      return `non expected character ${firstCode(text, (unit) => !legal.test(unit))} in ${description} "${text}"`
    },
  }
}

/** The first invalid UTF-16 unit, as `0x24`: the reference counts characters beyond the BMP as two. */
function firstCode(text: string, misfits: (unit: string) => boolean): string {
  const found = text.split('').find(misfits) ?? ''
  return `0x${found.charCodeAt(0).toString(16)}`
}

const name: Grammar = {
  description: 'Daml-LF Name',
  pattern: /^[A-Za-z$_][A-Za-z0-9$_]*$/,
  maxLength: 1000,
  complain(text, { description, maxLength }) {
    if (text === '') return `${description} is empty`
    if (text.length > maxLength) return `Name is too long (max: ${maxLength})`
    const [place, code] = /^[A-Za-z$_]/.test(text)
      ? ['non first', firstCode(text, (unit) => !/[A-Za-z0-9$_]/.test(unit))]
      : ['first', firstCode(text, () => true)]
    return `non expected ${place} character ${code} in ${description} "${text}"`
  },
}

const packageVersion: Grammar = {
  description: 'Daml-LF Package Version',
  pattern: /^(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*))*$/,
  maxLength: 255,
  complain: (text) =>
    `Invalid package version string: \`${text}\`. Package versions are non-empty strings consisting of segments of digits (without leading zeros) separated by dots.`,
}

const userId: Grammar = {
  description: 'User ID',
  pattern: /^[a-zA-Z0-9@^$.!`\-#+'~_|:()]+$/,
  maxLength: 128,
  complain: (text, { description }) =>
    `${description} "${text}" does not match regex "[a-zA-Z0-9@^$.!\`\\-#+'~_|:\\(\\)]{1,128}"`,
}

const contractId: Grammar = {
  description: 'ContractId',
  pattern: /^(?:00(?:[0-9a-f]{2}){32,126}|01(?:[0-9a-f]{2}){12,45})$/,
  maxLength: 254,
  complain: (text, { description }) => `cannot parse ${description} "${text}"`,
}

const updateId: Grammar = {
  description: 'UpdateId',
  pattern: /^1220[0-9a-f]{64}$/,
  maxLength: 68,
  complain: (text, { description }) => `cannot parse ${description} "${text}"`,
}

const partyId = characters('Daml-LF Party', 'A-Za-z0-9:\\-_ ', 255)
const delimiter = '::'

const fingerprint: Grammar = {
  description: 'Fingerprint',
  pattern: /^(?:[A-Za-z0-9\-_ ]|:(?!:))+$/,
  maxLength: 68,
  complain: (text, { maxLength }) => simpleStringViolation('Fingerprint', text, maxLength),
}

/** A part of a unique identifier. */
function simpleStringViolation(type: string, text: string, maxLength: number): string {
  const problem = violation(partyId, text)
  if (problem) return problem
  if (text.includes(delimiter)) return `String contains reserved delimiter \`${delimiter}\`.`
  const given = `a ${type} of length ${text.length} ('${text}.') was given`
  return `Invariant violation in field \`${type}\`: The given ${type} has a maximum length of ${maxLength} but ${given}`
}

/** `identifier::fingerprint` */
const uniqueIdentifier: Grammar = {
  description: 'unique identifier',
  pattern: /^(?:[A-Za-z0-9\-_ ]|:(?!:)){1,185}::(?:[A-Za-z0-9\-_ ]|:(?!:)){1,68}$/,
  maxLength: 255,
  complain(text, { description }) {
    const invalid = `Invalid ${description} \`${text}\``
    if (text === '') return 'Empty string is not a valid unique identifier.'
    const end = text.indexOf(delimiter)
    if (end < 0) return `${invalid} with missing namespace.`
    if (end === 0) return `${invalid} with empty identifier.`
    const namespace = text.slice(end + delimiter.length)
    const problem = violation(fingerprint, namespace)
    if (problem) return `Fingerprint decoding of \`${text}\` failed with: StringConversionError(${problem},None)`
    return simpleStringViolation('Identifier', text.slice(0, end), 185)
  },
}

export const grammars = {
  ledgerString: characters('Daml-LF Ledger String', 'A-Za-z0-9._:\\-#/ ', 255),
  partyId,
  userId,
  packageId: characters('Daml-LF Package ID', 'A-Za-z0-9\\-_ ', 64),
  packageName: characters('Daml-LF Package Name', 'A-Za-z0-9\\-_', 255),
  packageVersion,
  name,
  contractId,
  updateId,
  fingerprint,
  /** A party that the ledger resolves. */
  uniqueParty: uniqueIdentifier,
  participantId: uniqueIdentifier,
  synchronizerId: uniqueIdentifier,
} satisfies Record<string, Grammar>
