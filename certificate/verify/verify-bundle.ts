/** Whether a bundle is what was certified, and whether that holds: without any network, from what is in it alone. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { inputReason } from '../../lib/files/input-error.js'
import { readInputText } from '../../lib/files/read-input.js'
import { bundleFiles, certificateName, digestOf } from '../bundle-files.js'
import { type Envelope, envelopeText, fingerprint, isSealedBy, payloadOf, readEnvelope } from '../envelope.js'
import { altered, type BundleFinding, noted } from '../finding.js'
import { type Certificate, readStatement, type Statement, type Subject } from '../statement.js'
import { type CheckOptions, checkRecord } from './check-record.js'

export interface Verification {
  findings: BundleFinding[]
  /** The operations that the records are about; absent where they are about all of them, or cannot be read. */
  operations?: string[]
  /** What the statement says of itself; undefined where there is none. */
  certificate?: Certificate
  /** Of the key by which the signature was looked at. */
  keyFingerprint?: string
}

export interface VerifyOptions extends Omit<CheckOptions, 'isSound'> {
  /** The public key of the expected signer; without it, the key in the bundle. */
  key?: KeyObject
}

/** Rejects with `InputError` where the folder itself cannot be read. */
export async function verifyBundle(folder: string, options: VerifyOptions): Promise<Verification> {
  const { text, unread } = await certificateIn(folder)
  const envelope = readEnvelope(text)
  const statement = envelope && readStatement(payloadOf(envelope).toString('utf8'))
  const key = options.key ?? keyOf(statement)
  const files = [
    ...(unread === undefined ? envelopeFindings(text, envelope, statement, key) : [altered(unread)]),
    ...(await checkFiles(folder, statement?.subject ?? [])),
  ]
  const isSound = !files.some(({ kind }) => kind === 'altered')
  const { suite, findings, operations } = await checkRecord(folder, statement?.predicate, { ...options, isSound })
  return {
    findings: [...suite, ...files, ...findings],
    ...(operations && { operations }),
    ...(statement && { certificate: statement.predicate }),
    ...(key && { keyFingerprint: fingerprint(key) }),
  }
}

/** `unread`: what keeps the certificate from being read. */
async function certificateIn(folder: string): Promise<{ text: string; unread?: string }> {
  try {
    return { text: await readInputText(join(folder, certificateName), 'a certificate') }
  } catch (error) {
    return { text: '', unread: `${certificateName} cannot be read (${inputReason(error)}): nothing is certified` }
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
  text: string,
  envelope: Envelope | undefined,
  statement: Statement | undefined,
  key: KeyObject | undefined,
): BundleFinding[] {
  if (!envelope) return [altered(`${certificateName} is no envelope of a certificate`)]
  if (!statement) return [altered(`${certificateName} holds no statement about a run of conform`)]
  if (!key || !isSealedBy(envelope, key)) return [altered('the signature is not that of the key over this statement')]
  const isOurs = envelopeText(envelope) === text && canonical(envelope)
  const isNamed = envelope.signatures.every(({ keyid }) => keyid === fingerprint(key))
  return [
    ...(isNamed ? [] : [noted(`${certificateName} calls the key by another name, which no signature covers`)]),
    ...(isOurs ? [] : [noted(`${certificateName} is written otherwise than conform writes it, and says the same`)]),
  ]
}

/** Base64 can be written in several ways that are read alike. */
const canonical = ({ payload, signatures }: Envelope): boolean =>
  [payload, ...signatures.map(({ sig }) => sig)].every((one) => Buffer.from(one, 'base64').toString('base64') === one)

/** Whether every file that the statement names is there as it was, and which others are. */
async function checkFiles(folder: string, subjects: readonly Subject[]): Promise<BundleFinding[]> {
  const there = new Set(await bundleFiles(folder))
  const named = new Set(subjects.map(({ name }) => name))
  const found: BundleFinding[] = []
  // One after the other: a statement may name thousands of files.
  for (const subject of subjects) found.push(...(await checkFile(folder, subject, there)))
  const others = [...there].filter((name) => !named.has(name))
  return [...found, ...others.map((name) => noted(`${name} is not certified: the statement does not name it`))]
}

async function checkFile(
  folder: string,
  { name, digest }: Subject,
  there: ReadonlySet<string>,
): Promise<BundleFinding[]> {
  if (!there.has(name)) return [altered(`${name} is missing`)]
  try {
    const isSame = (await digestOf(join(folder, name))) === digest.sha256
    return isSame ? [] : [altered(`${name} was altered: it has another digest than the statement says`)]
  } catch (error) {
    return [altered(`${name} cannot be read (${inputReason(error)})`)]
  }
}
