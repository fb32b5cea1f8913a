import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { JsonSyntaxError } from '../../lib/json/json-scanner.js'
import {
  isClosedEvidence,
  isClosedExchange,
  isClosedFooter,
  isClosedHeader,
  isClosedOracles,
} from '../../record/file/closed-checks.js'
import type { LineCheck } from '../../record/file/record-checks.js'
import { leftOpen } from '../../record/judgements/examination.js'
import type { Evidence, RunRecord } from '../../record/types/record.js'
import { type DerivedFrom, deriveRun } from '../../runner/derive/derive-run.js'
import type { Difference } from '../../runner/derive/differences.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { NothingSelected } from '../../runner/plan/select.js'
import type { ModelPackage } from '../../runner/provision/model-packages.js'
import { ResolveError } from '../../runner/resolve/request-template.js'
import { TargetError } from '../../runner/target/target.js'
import { FindingsError } from '../../runner/yaml/findings.js'
import { suiteFolder } from '../bundle.js'
import { altered, type BundleFinding, stated, unproven } from '../finding.js'
import { restrictionsIn } from '../restrictions.js'
import { checkChallenge } from './challenge.js'
import { checkOrigin } from './check-origin.js'
import { compareRun, named } from './compare-run.js'
import { compareSuite, type UsedSuite } from './compare-suite.js'

/** What a run must come from. */
export interface RunSources {
  suite: string
  /** The packages of this program. */
  model: readonly ModelPackage[]
  challenge?: string
}

export interface PartOptions extends RunSources {
  folder: string
  /** Earlier configurations, combined; undefined for the first. */
  before: RunRecord | undefined
  /** Time of the signature. */
  issued: string | undefined
  /** Another version may derive another plan from the same suite. */
  isSameTool: boolean
}

export async function checkPart(
  record: RunRecord,
  options: PartOptions,
): Promise<Record<'suite' | 'findings', BundleFinding[]>> {
  const { header } = record
  const { suite, run } = await checkRun(record, options)
  return {
    suite,
    findings: [
      ...record.defects.map((defect) => altered(`the record has a defect: ${defect.replace(/\.$/, '')}`)),
      ...checkMembers(record),
      ...run,
      ...checkOrigin(record, options.issued),
      ...checkChallenge(header, options.challenge),
      ...restrictionsIn(record).map(({ what, isForbidden }) => (isForbidden ? unproven(what) : stated(what))),
    ],
  }
}

/** A certified record has only members that are derived, stated by the settings, or evidence. */
function checkMembers({ header, exchanges = [], rows, oracles, footer }: RunRecord): BundleFinding[] {
  const parts: [path: string, value: unknown, check: LineCheck<unknown>][] = [
    ['header', header, isClosedHeader],
    ...exchanges.map((one, index): (typeof parts)[number] => [`exchanges[${index}]`, one, isClosedExchange]),
    ...rows.flatMap(({ id, evidence }) =>
      evidence.map((one, index): (typeof parts)[number] => [`rows[${id}].evidence[${index}]`, one, isClosedEvidence]),
    ),
    ...(oracles ? [['oracles', oracles, isClosedOracles] satisfies (typeof parts)[number]] : []),
    ...(footer ? [['footer', footer, isClosedFooter] satisfies (typeof parts)[number]] : []),
  ]
  const wrong = parts.find(([, value, check]) => !check(value))
  if (wrong) {
    const [path, , { errors }] = wrong
    const [problem] = errors ?? []
    return [altered(`${path}${problem?.instancePath ?? ''} has members outside the schema: ${problem?.message ?? ''}`)]
  }
  const recorded = [...(header.controls ?? []), ...exchanges, ...rows, ...(oracles?.reads ?? [])]
  const evidence = recorded.flatMap((one) => one.evidence)
  return evidence.every(isCanonical) ? [] : [altered('a body of the record has another form of Base64')]
}

/** Ignored characters would be a text of the signer. A pattern in the schema exhausts the stack for long bodies. */
const isCanonical = ({ request, response }: Evidence): boolean =>
  [request.body?.base64, response?.body.base64].every(
    (text = '') => Buffer.from(text, 'base64').toString('base64') === text,
  )

async function checkRun(
  record: RunRecord,
  { folder, before, isSameTool, suite: trusted, model }: PartOptions,
): Promise<Record<'suite' | 'run', BundleFinding[]>> {
  const { header } = record
  const used = await suiteIn(folder, record)
  if ('kind' in used) return { suite: [], run: [used] }
  const version = header.target.protocolVersion
  const suite = before ? [] : await compareSuite(used, trusted, version).catch(unresolved)
  if (!Array.isArray(suite)) return { suite: [], run: [suite] }
  // A run that `--also` adds selects no rules.
  const open = before && header.selection?.rules ? leftOpen(before) : undefined
  const selected = selectedRuleDifferences(header.selection?.rules, open)
  if (header.resumes || header.merged)
    return { suite, run: [...selected, unproven('the record combines several runs, which cannot be derived again')] }
  if (header.repeat !== undefined)
    return { suite, run: [...selected, unproven('the record has one repetition of each row, which cannot be derived')] }
  return { suite, run: [...selected, ...(await derivedFindings(record, { ...used, model }, isSameTool))] }
}

/** Throws all errors but those of the suite. */
function unresolved(error: unknown): BundleFinding {
  if (error instanceof ResolveError) return altered(`${suiteFolder} cannot be resolved (${error.message})`)
  throw error
}

/** A later configuration runs what earlier ones left open. */
const selectedRuleDifferences = (
  selected: readonly string[] | undefined,
  open: ReadonlySet<string> | undefined,
): BundleFinding[] =>
  [...(selected ?? [])].toSorted().join() === [...(open ?? [])].toSorted().join()
    ? []
    : [altered('the selected rules and rows differ from those that earlier configurations left open')]

/** Returns a finding if the suite of the bundle is unusable. */
async function suiteIn(folder: string, { header }: RunRecord): Promise<UsedSuite | BundleFinding> {
  const path = join(folder, suiteFolder)
  if (!existsSync(path)) return altered(`${suiteFolder} is missing, so the plan cannot be compared with it`)
  try {
    const suite = await loadSuite(path, header.profile.file)
    if (suite.digest !== header.suite.digest) return altered(`the digest of ${suiteFolder} differs from the record`)
    const profile = suite.profiles.get(header.profile.name)
    return profile ? { suite, profile } : altered(`${suiteFolder} has no profile ${header.profile.name}`)
  } catch (error) {
    if (!(error instanceof FindingsError)) throw error
    return altered(`${suiteFolder} cannot be read (${error.findings[0]?.message ?? error.message})`)
  }
}

async function derivedFindings(record: RunRecord, from: DerivedFrom, isSameTool: boolean): Promise<BundleFinding[]> {
  const requests: Difference[] = []
  try {
    const derived = await deriveRun(record, from, requests)
    return derived
      ? compareRun(record, derived, isSameTool)
      : [altered('the header states no settings from which the run follows')]
  } catch (error) {
    if (error instanceof ResolveError) return [unresolved(error)]
    if (!isOfRecord(error)) throw error
    return [...named(requests), altered(`no run follows from the exchanges of the record: ${error.message}`)]
  }
}

/** Its settings or exchanges permit no run. */
const isOfRecord = (error: unknown): error is Error =>
  error instanceof TargetError || error instanceof NothingSelected || error instanceof JsonSyntaxError
