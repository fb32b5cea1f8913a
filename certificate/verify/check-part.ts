import { parseJson, printJson } from '../../lib/json/json.js'
import { openRules } from '../../record/judgements/examination.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { count } from '../../reports/wording/words.js'
import { answerOf } from '../../runner/judge/answer.js'
import { usesRedacted } from '../../runner/judge/judge-again.js'
import { isMarkerOf } from '../../runner/oracles/markers.js'
import { capabilitiesByVersion } from '../../runner/provision/capabilities.js'
import { valueAt } from '../../runner/template/pointer.js'
import { altered, type BundleFinding, stated, unproven } from '../finding.js'
import { restrictionsIn } from '../restrictions.js'
import { checkChallenge } from './challenge.js'
import { checkFixtures } from './check-fixtures.js'
import { checkHeader } from './check-header.js'
import { checkOracles } from './check-oracles.js'
import { checkOrigin } from './check-origin.js'
import { checkReads } from './check-reads.js'
import { checkReasons } from './check-reasons.js'
import { checkRights } from './check-rights.js'
import { checkVerdicts } from './check-verdicts.js'
import { compareRequests } from './compare-requests.js'
import { compareSuite, isSamePlan } from './compare-suite.js'
import { type DerivedPlan, derivePlan } from './derive-plan.js'

export interface PartOptions {
  folder: string
  /** Earlier configurations, combined; undefined for the first. */
  before: RunRecord | undefined
  /** Time of the signature. */
  issued: string | undefined
  /** Another version may derive another plan from the same suite. */
  isSameTool: boolean
  suite: string
  challenge?: string
}

export async function checkPart(
  record: RunRecord,
  options: PartOptions,
): Promise<Record<'suite' | 'findings', BundleFinding[]>> {
  const { header } = record
  const { suite, plan } = await suiteFindings(record, options)
  return {
    suite,
    findings: [
      ...record.defects.map((defect) => altered(`the record has a defect: ${defect.replace(/\.$/, '')}`)),
      ...checkVerdicts(record),
      ...checkOracles(record),
      ...plan,
      ...checkCapabilities(record),
      ...checkOrigin(record, options.issued),
      ...checkChallenge(header, options.challenge),
      ...restrictionsIn(record).map(({ what, isForbidden }) => (isForbidden ? unproven(what) : stated(what))),
    ],
  }
}

async function suiteFindings(
  record: RunRecord,
  { folder, before, isSameTool, suite: trusted }: PartOptions,
): Promise<Record<'suite' | 'plan', BundleFinding[]>> {
  const { header } = record
  // A run that `--also` adds selects no rules.
  const open = before && header.selection?.rules ? openRules(before) : undefined
  const derived = await derivePlan(folder, header, open)
  if ('kind' in derived) return { suite: [], plan: [derived] }
  const suite = before ? [] : await compareSuite(derived, trusted, header.target.protocolVersion)
  const reasons = [...checkReasons(record, derived.resolved), ...checkRights(header, derived.resolved)]
  const found = [
    ...checkHeader(header, derived),
    ...checkPlan(record, derived),
    ...checkRequests(record),
    ...checkFixtures(record, derived.resolved.fixtures),
    ...checkReads(record, derived.resolved),
    ...selectedRuleDifferences(header.selection?.rules, open),
  ]
  if (found.length === 0 || isSameTool) return { suite, plan: [...found.map(altered), ...reasons] }
  const places = count(found.length, 'place')
  const what = `another version of the program wrote the record; this version derives different content in ${places}`
  return { suite, plan: [unproven(what), ...reasons] }
}

/** A later configuration runs open rules of earlier ones. */
const selectedRuleDifferences = (
  selected: readonly string[] | undefined,
  open: ReadonlySet<string> | undefined,
): string[] =>
  [...(selected ?? [])].toSorted().join() === [...(open ?? [])].toSorted().join()
    ? []
    : ['the selected rules differ from the rules that earlier configurations left open']

function checkPlan({ header, rows }: RunRecord, { resolved, byText }: DerivedPlan): string[] {
  const wanted = new Map(resolved.rows.map((row) => [row.id, row]))
  const planned = new Set(header.plan)
  return [
    ...rows.flatMap((row) => differences(row, wanted.get(row.id), byText, header)),
    ...[...wanted.keys()].filter((id) => !planned.has(id)).map((id) => `the plan lacks the row ${id} of the suite`),
  ]
}

function differences(
  { resolved, byText }: RunRow,
  wanted: ResolvedRow | undefined,
  wantedByText: DerivedPlan['byText'],
  header: RunHeader,
): string[] {
  if (!wanted || !isSamePlan(wanted, withoutPresigned(resolved, header)))
    return [`the plan of ${resolved.id} differs from the suite`]
  return byText === undefined || isSamePlan(byText, wantedByText(wanted))
    ? []
    : [`the plan of ${resolved.id} differs from the suite in the expectations of the interface text`]
}

/** Presigned transactions replace the steps that prepare them. */
function withoutPresigned(row: ResolvedRow, { target }: RunHeader): ResolvedRow {
  if (!target.file || target.file.presigned === 0) return row
  const steps = row.steps.map(({ presigned, ...step }) =>
    presigned && !step.presignable ? { presigned, ...step } : step,
  )
  return { ...row, steps }
}

function checkCapabilities({ header, rows }: RunRecord): BundleFinding[] {
  const { capabilities } = header
  const wrong = Object.entries(expected(header)).filter(
    ([name, value]) => capabilities[name] !== undefined && value !== undefined && capabilities[name] !== value,
  )
  const withToken = header.target.authorization === 'none' ? rows.find(carriesToken) : undefined
  return [
    ...wrong.map(([name]) => `the header states ${name}: ${capabilities[name]}, but its other members contradict this`),
    ...(withToken
      ? [`the header states that the target requires no token, but ${withToken.id} sent an Authorization header`]
      : []),
  ].map(altered)
}

function expected({ target, variables }: RunHeader): Record<string, boolean | undefined> {
  const isOpen = target.authorization === 'none'
  const { 'contract-keys': hasKeys } = capabilitiesByVersion({}, target.protocolVersion)
  const hasSecond = variables && variables['otherSynchronizerId'] !== undefined
  return {
    authorization: !isOpen,
    'open-access': isOpen,
    'contract-keys': hasKeys === true,
    ...(hasKeys !== true && { 'hashing-v3': false }),
    'direct-connection': target.connection?.proxy === undefined,
    'several-synchronizers': hasSecond,
    ...(hasSecond === true && { 'one-synchronizer': false }),
    'prepared-synchronizer': variables && variables['preparedSynchronizerId'] !== undefined,
  }
}

/** The row itself may set the header. */
const carriesToken = ({ evidence, resolved }: RunRecord['rows'][number]): boolean =>
  evidence.some(({ step, request }) => {
    const sent = resolved.steps[step]
    const isOwn = sent?.token !== undefined || sent?.request.headers['authorization'] !== undefined
    return !isOwn && request.headers.some(([name]) => name.toLowerCase() === 'authorization')
  })

function checkRequests(record: RunRecord): string[] {
  return record.rows.flatMap((row) => {
    if (row.redacted || usesRedacted(row.resolved, record.header) || row.evidence.length === 0) return []
    try {
      const { differences } = compareRequests(record, row, row.resolved.steps, 'plan')
      return [...markerDifferences(record, row), ...differences, ...captureDifferences(row)]
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return [`the requests of ${row.id} cannot be derived from the record (${why})`]
    }
  })
}

/** Earlier runs and presigned transactions have other markers. */
function markerDifferences({ header }: RunRecord, { id, variables, resolved }: RunRow): string[] {
  if (header.resumes || header.merged || resolved.steps.some(({ presigned }) => presigned)) return []
  const marker = parseJson(variables?.['row'] ?? 'null')
  return typeof marker === 'string' && isMarkerOf(marker, { run: header.run, row: id, seed: header.seed })
    ? []
    : [`the marker of ${id} does not follow from the seed of the run`]
}

/** The last captured value counts. */
function captureDifferences({ id, variables = {}, resolved, evidence }: RunRow): string[] {
  const captured = new Map<string, string>()
  for (const one of evidence) {
    if (one.role === 'late-check') continue
    const answer = answerOf(one)?.json
    for (const [name, pointer] of Object.entries(resolved.steps[one.step]?.capture ?? {})) {
      const value = valueAt(answer, pointer)
      if (value !== undefined) captured.set(name, printJson(value))
    }
  }
  return [...captured]
    .filter(([name, value]) => variables[name] !== undefined && variables[name] !== value)
    .map(([name]) => `the variable ${name} of ${id} differs from the captured value`)
}
