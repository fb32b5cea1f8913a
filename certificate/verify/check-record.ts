import { RecordError } from '../../record/file/record-error.js'
import { ConfigurationsError, combineRecords } from '../../record/merge/combine-records.js'
import type { RunRecord } from '../../record/types/record.js'
import { conclude } from '../../reports/summary/conclusion.js'
import { count } from '../../reports/wording/words.js'
import { type BundleFile, bundleFiles, isRecordName } from '../bundle.js'
import { type Claims, claimsOf } from '../claims.js'
import { altered, type BundleFinding, noted, stated, unproven } from '../finding.js'
import { restrictionsIn } from '../restrictions.js'
import type { Certificate } from '../statement.js'
import { checkPart, type RunSources } from './check-part.js'
import { checkReports, checkTargets } from './check-reports.js'

export interface BundleSources extends RunSources {
  toolDigest: string
  /** With this digest. */
  toolIdentity: { name: string; version: string }
  /** One for each configuration. Rejects with `RecordError`. */
  records(folder: string): Promise<RunRecord[]>
  targetName: string
  reports(record: RunRecord, signing: { name: string; issued: string }): Promise<BundleFile[]>
}

interface CheckOptions extends BundleSources {
  /** All file digests match; otherwise the reports are not derived again. */
  isSound: boolean
}

interface CheckedRecord extends Record<'suite' | 'findings', BundleFinding[]> {
  operations?: string[]
}

/** `operations`: absent for all. */
export async function checkRecord(
  folder: string,
  certificate: Certificate | undefined,
  options: CheckOptions,
): Promise<CheckedRecord> {
  try {
    const parts = await options.records(folder)
    const whole = combineRecords(parts)
    const files = (await bundleFiles(folder)).filter(isRecordName)
    const checked = await checkParts(folder, parts, certificate, options)
    const reports =
      certificate && options.isSound && whole.defects.length === 0
        ? await reportFindings(folder, { parts, whole }, certificate, options)
        : []
    const claims = certificate
      ? [
          ...toolFindings(certificate, whole, options),
          ...claimFindings(certificate, claimsOf(whole), options.toolDigest),
        ]
      : []
    const operations = whole.header.selection?.operations
    const combined = whole === parts[0] ? [] : ownRestrictions(whole, parts)
    return {
      ...checked,
      findings: [
        ...unreadRecords(files, parts),
        ...checked.findings,
        ...combined,
        ...claims,
        ...conclusionFindings(whole),
        ...reports,
      ],
      ...(operations && { operations }),
    }
  } catch (error) {
    if (!(error instanceof RecordError) && !(error instanceof ConfigurationsError)) throw error
    return { suite: [], findings: [altered(`the run record cannot be read: ${error.message}`)] }
  }
}

const unreadRecords = (files: readonly string[], parts: readonly RunRecord[]): BundleFinding[] =>
  files.length > parts.length
    ? [altered(`the bundle contains ${count(files.length, 'record')}, but verify reads only ${parts.length}`)]
    : []

/** Restrictions that only the configurations together show. */
function ownRestrictions(whole: RunRecord, parts: readonly RunRecord[]): BundleFinding[] {
  const known = new Set(parts.flatMap((part) => restrictionsIn(part).map(({ what }) => what)))
  return restrictionsIn(whole).flatMap(({ what }) => (known.has(what) ? [] : [stated(what)]))
}

async function checkParts(
  folder: string,
  parts: readonly RunRecord[],
  certificate: Certificate | undefined,
  { toolDigest, suite, model, challenge }: CheckOptions,
): Promise<Record<'suite' | 'findings', BundleFinding[]>> {
  const shared = {
    folder,
    issued: certificate?.issued,
    isSameTool: certificate?.tool.digest === toolDigest,
    suite,
    model,
  }
  const found: Record<'suite' | 'findings', BundleFinding[]> = { suite: [], findings: [] }
  for (const [index, part] of parts.entries()) {
    const before = index === 0 ? undefined : combineRecords(parts.slice(0, index))
    const checked = await checkPart(part, { ...shared, before, ...(challenge !== undefined && { challenge }) })
    found.suite.push(...checked.suite)
    const named = parts.length === 1 ? '' : `configuration ${index + 1}: `
    found.findings.push(...checked.findings.map(({ kind, what }) => ({ kind, what: named + what })))
  }
  return found
}

/** Another program can sign a run that failed, with true claims. A caller who reads only the exit code would accept it. */
function conclusionFindings(whole: RunRecord): BundleFinding[] {
  const { outcome, inWords } = conclude(whole)
  // A defect is a finding of its own.
  if (outcome === 'conforming' || whole.defects.length > 0) return []
  return outcome === 'not conforming'
    ? [altered(`the run does not conform, so it has no certificate: ${inWords}`)]
    : [unproven(`the run does not show that the participant conforms: ${inWords}`)]
}

async function reportFindings(
  folder: string,
  { parts, whole }: { parts: readonly RunRecord[]; whole: RunRecord },
  { signer, issued, tool }: Certificate,
  { toolDigest, targetName, reports }: CheckOptions,
): Promise<BundleFinding[]> {
  const target = await checkTargets(folder, targetName, parts)
  const found = await checkReports(folder, await reports(whole, { name: signer.name, issued }))
  return [...target.map(altered), ...found.map(tool.digest === toolDigest ? altered : unproven)]
}

function toolFindings(
  { tool }: Certificate,
  { header }: RunRecord,
  { toolDigest, toolIdentity }: CheckOptions,
): BundleFinding[] {
  const [named, recorded, own] = [tool, header.tool, toolIdentity].map(({ name, version }) => `${name} ${version}`)
  if (named !== recorded) return [altered(`the statement names the program ${named}, and the record ${recorded}`)]
  if (tool.digest !== toolDigest)
    return [noted(`the statement names another build of the program, with the digest ${tool.digest}`)]
  return named === own ? [] : [altered(`the statement names the program ${named}, but its digest is that of ${own}`)]
}

/** The signer chooses the digest of the tool: another digest permits other words, but no other facts. */
function claimFindings({ claims, tool }: Certificate, found: Claims, toolDigest: string): BundleFinding[] {
  const [before, now] = [members(claims), members(found)]
  const different = [...new Set([...before.keys(), ...now.keys()])].filter(
    (name) => JSON.stringify(before.get(name)) !== JSON.stringify(now.get(name)),
  )
  const worded = different.filter(
    (name) => tool.digest !== toolDigest && factsOf(name, before.get(name)) === factsOf(name, now.get(name)),
  )
  return [
    ...different
      .filter((name) => !worded.includes(name))
      .map((name) => altered(`the statement and the record differ in ${name}`)),
    ...(worded.length > 0 ? [unproven(`the texts of ${worded.join(', ')} have other wording in this version`)] : []),
  ]
}

const members = (claims: Claims): Map<string, unknown> => new Map(Object.entries(claims))

/** A claim as JSON, without its words. Accepts any value, because claims are only compared. */
function factsOf(name: string, claim: unknown): string | undefined {
  // PASS, FAIL and INCOMPLETE are facts.
  if (name === 'conclusion') return String(claim).split(/\W/, 1)[0]
  if (name === 'restrictions' && Array.isArray(claim)) return JSON.stringify(claim.map((one) => typeof one))
  return JSON.stringify(claim)
}
