/** The signed statement: in-toto Statement, version 1. */
import { isPortable } from '../lib/files/paths.js'
import { parsed } from '../lib/json/parsed.js'
import { isDeeper } from '../record/file/json-depth.js'
import type { Claims } from './claims.js'
import { isStatement } from './statement-check.js'

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

/** The schema checks printed members of the claims; all others are only compared. */
export function readStatement(text: string): Statement | undefined {
  if (isDeeper(text, mostLevels)) return undefined
  const value = parsed(text)
  if (!isStatement(value)) return undefined
  const { subject, predicate } = value as Statement // by its schema
  const isSound = isInstant(predicate.issued) && subject.every(({ name }) => isPathBelow(name))
  return isSound ? statementOf(subject, predicate) : undefined
}

const isInstant = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text

/** The path must not leave the bundle, on any system. Otherwise, the author of a suite chooses the names of its files. */
const isPathBelow = (path: string): boolean =>
  isPortable(path) && path.split('/').every((part) => !['', '.', '..'].includes(part))
