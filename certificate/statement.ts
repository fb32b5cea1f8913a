/** The signed statement: in-toto Statement, version 1. */
import { isPortable } from '../lib/files/paths.js'
import { parsed } from '../lib/json/parsed.js'
import { isDeeper } from '../record/file/json-depth.js'
import type { Claims } from './claims.js'

export const statementType = 'https://in-toto.io/Statement/v1'
export const predicateType = 'urn:participant-conformance:certificate:v1'

/** `name`: the path below the bundle. */
export interface Subject {
  name: string
  digest: { sha256: string }
}

export interface Certificate {
  issued: string
  /** `key`: public, PEM. */
  signer: { name: string; key: string }
  tool: { name: string; version: string; digest: string }
  claims: Claims
}

export interface Statement {
  _type: typeof statementType
  subject: Subject[]
  predicateType: typeof predicateType
  predicate: Certificate
}

export const statementOf = (subject: Subject[], predicate: Certificate): Statement => ({
  _type: statementType,
  subject,
  predicateType,
  predicate,
})

/** Deeper claims would exhaust the stack of later comparisons. */
const mostLevels = 50

export function readStatement(text: string): Statement | undefined {
  if (isDeeper(text, mostLevels)) return undefined
  const value = parsed(text)
  if (!isObject(value) || value['_type'] !== statementType || value['predicateType'] !== predicateType) return undefined
  const { subject, predicate } = value
  const isSound =
    hasOnly(value, ['_type', 'subject', 'predicateType', 'predicate']) &&
    Array.isArray(subject) &&
    subject.every(isSubject) &&
    isCertificate(predicate)
  return isSound ? statementOf(subject, predicate) : undefined
}

/** Checks printed members of the claims; all others are only compared. */
const isCertificate = (value: unknown): value is Certificate =>
  hasOnly(value, ['issued', 'signer', 'tool', 'claims']) &&
  hasOnly(value['signer'], ['name', 'key']) &&
  isText(value['signer']['name']) &&
  isText(value['signer']['key']) &&
  hasOnly(value['tool'], ['name', 'version', 'digest']) &&
  isText(value['tool']['name']) &&
  isText(value['tool']['version']) &&
  isDigest(value['tool']['digest']) &&
  isInstant(value['issued']) &&
  isPrintable(value['claims'])

const isPrintable = (claims: unknown): boolean =>
  isObject(claims) &&
  isText(claims['conclusion']) &&
  Number.isInteger(claims['planned']) &&
  [
    ['target', 'url'],
    ['profile', 'name'],
    ['run', 'digest'],
  ].every(([name = '', member = '']) => isObject(claims[name]) && isText(claims[name][member]))

/** An object without further members. */
export const hasOnly = (value: unknown, names: readonly string[]): value is Record<string, unknown> =>
  isObject(value) && Object.keys(value).every((name) => names.includes(name))

/** SHA-256 (hex). */
const isDigest = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

const isText = (value: unknown): boolean => typeof value === 'string'

const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSubject = (value: unknown): value is Subject =>
  hasOnly(value, ['name', 'digest']) &&
  isText(value['name']) &&
  isPathBelow(String(value['name'])) &&
  hasOnly(value['digest'], ['sha256']) &&
  isDigest(value['digest']['sha256'])

/** The path must not leave the bundle, on any system. Otherwise, the author of a suite chooses the names of its files. */
const isPathBelow = (path: string): boolean =>
  isPortable(path) && path.split('/').every((part) => !['', '.', '..'].includes(part))
