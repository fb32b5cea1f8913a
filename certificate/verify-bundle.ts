/** Whether a bundle is what was certified, and whether that holds: without any network, from what is in it alone. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRecord } from '../record/read-record.js'
import type { RunRecord } from '../record/record.js'
import { RecordError } from '../record/record-error.js'
import { certificateName } from './bundle-files.js'
import { checkFiles } from './check-files.js'
import { checkPlan } from './check-plan.js'
import { checkVerdicts } from './check-verdicts.js'
import { type Claims, claimsOf } from './claims.js'
import { type Envelope, envelopeText, fingerprint, isSealedBy, payloadOf, readEnvelope } from './envelope.js'
import { altered, type BundleFinding, noted } from './finding.js'
import { type Certificate, readStatement, type Statement } from './statement.js'

export interface Verification {
  findings: BundleFinding[]
  /** What the statement says of itself; undefined where there is none. */
  certificate?: Certificate
  /** Of the key by which the signature was looked at. */
  keyFingerprint?: string
}

export interface VerifyOptions {
  /** Of whoever is to have signed; without it, the one that the bundle brings. */
  key?: KeyObject
  /** Of this program. */
  toolDigest: string
  /** The record of the run in the bundle. */
  recordName: string
}

/** Rejects with what the file system says of the folder itself. */
export async function verifyBundle(folder: string, options: VerifyOptions): Promise<Verification> {
  const text = await readFile(join(folder, certificateName), 'utf8').catch(() => undefined)
  const envelope = text === undefined ? undefined : readEnvelope(text)
  const statement = envelope && readStatement(payloadOf(envelope).toString('utf8'))
  const key = options.key ?? keyOf(statement)
  const findings = [
    ...envelopeFindings(text, envelope, statement, key),
    ...(await checkFiles(folder, statement?.subject ?? [])),
    ...(await recordFindings(folder, statement, options)),
  ]
  return {
    findings,
    ...(statement && { certificate: statement.predicate }),
    ...(key && { keyFingerprint: fingerprint(key) }),
  }
}

function keyOf(statement: Statement | undefined): KeyObject | undefined {
  try {
    return statement && createPublicKey(statement.predicate.signer.key)
  } catch {
    return undefined
  }
}

function envelopeFindings(
  text: string | undefined,
  envelope: Envelope | undefined,
  statement: Statement | undefined,
  key: KeyObject | undefined,
): BundleFinding[] {
  if (text === undefined) return [altered(`${certificateName} is missing: nothing is certified`)]
  if (!envelope) return [altered(`${certificateName} is no envelope of a certificate`)]
  if (!statement) return [altered(`${certificateName} holds no statement about a run of conform`)]
  if (!key || !isSealedBy(envelope, key)) return [altered('the signature is not that of the key over this statement')]
  const isOurs = envelopeText(envelope) === text && canonical(envelope)
  const isNamed = envelope.signatures.every(({ keyid }) => keyid === fingerprint(key))
  return [
    ...(isNamed ? [] : [noted(`${certificateName} calls the key by another name, which is signed by nobody`)]),
    ...(isOurs ? [] : [noted(`${certificateName} is written otherwise than conform writes it, and says the same`)]),
  ]
}

/** Base64 can be written in several ways that are read alike. */
const canonical = ({ payload, signatures }: Envelope): boolean =>
  [payload, ...signatures.map(({ sig }) => sig)].every((one) => Buffer.from(one, 'base64').toString('base64') === one)

async function recordFindings(
  folder: string,
  statement: Statement | undefined,
  { recordName, toolDigest }: VerifyOptions,
): Promise<BundleFinding[]> {
  let record: RunRecord
  try {
    record = await readRecord(join(folder, recordName))
  } catch (error) {
    if (error instanceof RecordError) return [altered(`${recordName} is no record: ${error.message}`)]
    throw error
  }
  const isSameTool = statement?.predicate.tool.digest === toolDigest
  return [
    ...record.defects.map((defect) => altered(`${recordName}: ${defect.replace(/\.$/, '')}`)),
    ...checkVerdicts(record),
    ...(await checkPlan(folder, record, isSameTool)),
    ...(statement ? claimFindings(statement.predicate.claims, claimsOf(record)) : []),
  ]
}

/** Member by member, so that it is told which. */
function claimFindings(said: Claims, found: Claims): BundleFinding[] {
  const [before, now] = [members(said), members(found)]
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => altered(`the statement says otherwise than the record of ${name}`))
}

const members = (claims: Claims): Map<string, string> =>
  new Map(Object.entries(claims).map(([name, value]) => [name, JSON.stringify(value)]))
