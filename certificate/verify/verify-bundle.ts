/** Offline: uses only the bundle. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { inputReason } from '../../lib/files/file-errors.js'
import { readInputText } from '../../lib/files/read-input.js'
import { bundleFiles, certificateName, fileDigest, isRecordName, suiteFolder } from '../bundle.js'
import { type Envelope, envelopeText, fingerprint, isSealedBy, payloadOf, readEnvelope } from '../envelope.js'
import { altered, type BundleFinding, noted } from '../finding.js'
import { type Certificate, readStatement, type Statement, type Subject } from '../statement.js'
import { type BundleSources, checkRecord } from './check-record.js'

export interface Verification {
  findings: BundleFinding[]
  operations?: string[]
  certificate?: Certificate
  /** Of the key that the statement names as that of the signer. */
  keyFingerprint?: string
}

export interface VerifyOptions extends BundleSources {
  /** The expected signer; by default the key in the bundle. */
  key?: KeyObject
  /** Of the files that `reports` returns. */
  reportNames: readonly string[]
}

/**
 * Rejects with `InputError`.
 * @example
 * const { findings } = await verifyBundle('bundle', options)
 * findings.filter(({ kind }) => kind === 'altered') // [] for a sound bundle
 */
export async function verifyBundle(folder: string, options: VerifyOptions): Promise<Verification> {
  const { text, unread } = await certificateIn(folder)
  const envelope = readEnvelope(text)
  const statement = envelope && readStatement(payloadOf(envelope).toString('utf8'))
  const keys = { named: keyOf(statement), given: options.key }
  const files = [
    ...(unread === undefined ? envelopeFindings(text, envelope, statement, keys) : [altered(unread)]),
    ...(await checkFiles(folder, statement?.subject ?? [], [options.targetName, ...options.reportNames])),
  ]
  const isSound = !files.some(({ kind }) => kind === 'altered')
  const { suite, findings, operations } = await checkRecord(folder, statement?.predicate, { ...options, isSound })
  return {
    findings: [...suite, ...files, ...findings],
    ...(operations && { operations }),
    ...(statement && { certificate: statement.predicate }),
    ...(keys.named && { keyFingerprint: fingerprint(keys.named) }),
  }
}

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

interface SignerKeys {
  /** In the statement. */
  named: KeyObject | undefined
  /** By the verifier, who has it from the signer. */
  given: KeyObject | undefined
}

function envelopeFindings(
  text: string,
  envelope: Envelope | undefined,
  statement: Statement | undefined,
  { named, given }: SignerKeys,
): BundleFinding[] {
  if (!envelope) return [altered(`${certificateName} is not a DSSE envelope of an in-toto statement`)]
  if (!statement) return [altered(`${certificateName} contains no statement about a run of conform`)]
  const signing = [given, named].find((key) => key !== undefined && isSealedBy(envelope, key))
  if (!signing) return [altered('the signature does not match the key and the statement')]
  if (given && signing !== given)
    return [altered(`the key ${fingerprint(signing)} signed the bundle, not the given key ${fingerprint(given)}`)]
  // The point of an elliptic key has two forms with two fingerprints.
  if (!named?.equals(signing))
    return [altered(`the statement names another key than ${fingerprint(signing)}, which signed it`)]
  const { key } = statement.predicate.signer
  const isOneKey = named.export({ type: 'spki', format: 'pem' }) === key
  // Of two members with one name, another reader may take the first.
  const isPlain = Buffer.from(JSON.stringify(statement)).equals(payloadOf(envelope))
  const isOurs = envelopeText(envelope) === text && canonical(envelope)
  const isNamed = envelope.signatures.every(({ keyid }) => keyid === fingerprint(named))
  return [
    ...(isOneKey ? [] : [altered('signer.key contains more than the key, or another form of it')]),
    ...(isPlain
      ? []
      : [altered('the statement has another JSON form than conform writes, such as a name that occurs twice')]),
    ...(isNamed ? [] : [noted(`the unsigned key id in ${certificateName} differs from the key`)]),
    ...(isOurs ? [] : [noted(`${certificateName} has a different JSON format from the one that conform writes`)]),
  ]
}

/** Several Base64 strings can decode to the same bytes. */
const canonical = ({ payload, signatures }: Envelope): boolean =>
  [payload, ...signatures.map(({ sig }) => sig)].every((one) => Buffer.from(one, 'base64').toString('base64') === one)

/** The statement names each file of the bundle once. Other files only have no certificate. */
async function checkFiles(
  folder: string,
  subjects: readonly Subject[],
  reports: readonly string[],
): Promise<BundleFinding[]> {
  const there = new Set(await bundleFiles(folder))
  const named = new Set(subjects.map(({ name }) => name))
  const found: BundleFinding[] = []
  if (named.size < subjects.length) found.push(altered('the statement names a file twice'))
  // Sequential: a statement may name thousands of files.
  for (const subject of subjects) found.push(...(await checkFile(folder, subject, there)))
  const others = [...there].filter((name) => !named.has(name))
  const isOfBundle = (name: string): boolean =>
    reports.includes(name) || name.startsWith(`${suiteFolder}/`) || isRecordName(name)
  const uncertified = (name: string): string => `${name} is not certified: the statement does not name it`
  return bounded([
    ...found,
    ...others.map((name) => (isOfBundle(name) ? altered(uncertified(name)) : noted(uncertified(name)))),
    ...[...there]
      .filter((name) => named.has(name) && !isOfBundle(name))
      .map((name) => noted(`${name} is signed, but no part of a bundle`)),
  ])
}

const mostFiles = 20

function bounded(findings: readonly BundleFinding[]): BundleFinding[] {
  const left = findings.slice(mostFiles)
  if (left.length === 0) return [...findings]
  const what = `${left.length} more files differ from the statement`
  return [...findings.slice(0, mostFiles), left.some(({ kind }) => kind === 'altered') ? altered(what) : noted(what)]
}

async function checkFile(
  folder: string,
  { name, digest }: Subject,
  there: ReadonlySet<string>,
): Promise<BundleFinding[]> {
  if (!there.has(name)) return [altered(`${name} is missing`)]
  try {
    const isSame = (await fileDigest(join(folder, name))) === digest.sha256
    return isSame ? [] : [altered(`${name} was altered: its digest differs from the statement`)]
  } catch (error) {
    return [altered(`${name} cannot be read (${inputReason(error)})`)]
  }
}
