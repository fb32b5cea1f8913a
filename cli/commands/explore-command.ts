import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { explore } from '../../explore/explore.js'
import type { ExplorationOptions, ExploreEvent } from '../../explore/options.js'
import { readSaved, replay, savedText } from '../../explore/replay.js'
import { readInputText } from '../../lib/files/read-input.js'
import { print, printError } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import type { Exploration, ExplorationRecord, MetDivergence } from '../../record/types/exploration.js'
import { exploredHtml } from '../../reports/formats/explored-html.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { endText } from '../../reports/wording/reason-words.js'
import { defaultResults } from '../../reports/wording/shell.js'
import { count } from '../../reports/wording/words.js'
import { defaultPermissions } from '../../runner/target/permissions.js'
import { readUrl } from '../../runner/target/target.js'
import { EarlyEnd } from '../../runner/transport/early-end.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { endBySignals } from '../console/interruption.js'
import { writeTexts } from '../output/write-reports.js'
import { embeddedReference, referenceAt } from '../target/explored-model.js'
import { openRunTarget } from '../target/open-run-target.js'
import { loadWithProfile } from '../target/profile-of.js'
import { patternOf } from '../target/run-options-of.js'
import { type Flags, gatherSettings } from '../target/settings.js'
import { conformanceModel } from '../tool/conformance-model.js'
import { toolIdentity } from '../tool/tool.js'

/** Milliseconds. */
const defaultBudget = 60_000

/** Rejects with `UsageError`, and like `gatherSettings` and `explore`. */
export async function exploreCommand(flags: Flags): Promise<ExitCode> {
  const settings = await gatherSettings(flags, process.env)
  const { suite, profile } = await loadWithProfile(settings.run)
  const limits = limitsOf(flags)
  const only = flags['only']
  const end = new EarlyEnd()
  const startedAt = new Date()
  const against = typeof flags['against'] === 'string' ? readUrl(flags['against']) : undefined
  const { target, simulator } = await openRunTarget(settings)
  const seed = settings.run.seed ?? randomBytes(6).toString('hex')
  const folder = explorationFolder(settings.run.out ?? defaultResults, seed)
  const removeHandlers = endBySignals(end)
  try {
    const options: ExplorationOptions = {
      target,
      suite,
      profile,
      packages: conformanceModel,
      openReference: async (facts) =>
        against === undefined ? embeddedReference(target, profile, facts) : referenceAt(target, against),
      ...(settings.run.protocolVersion !== undefined && { protocolVersion: settings.run.protocolVersion }),
      allowed: settings.run.allow ?? defaultPermissions(target.url, simulator !== undefined),
      ...(typeof only === 'string' && { only }),
      seed,
      journalFolders: journalsIn(folder, simulator !== undefined, against !== undefined),
      ...limits,
      ...(settings.run.concurrency !== undefined && { concurrency: settings.run.concurrency }),
      timeLimit: (settings.run.requestTimeout ?? 30) * 1000,
      redact: settings.run.redact.map(patternOf),
      report: printEvent,
      end,
    }
    const replayed = flags['replay']
    if (typeof replayed === 'string') {
      const journalFolders = journalsIn(dirname(replayed), simulator !== undefined, against !== undefined)
      return await replayOn({ ...options, journalFolders }, replayed)
    }
    const explored = await explore(options)
    await writeExploration(folder, {
      ...explored,
      tool: toolIdentity(),
      target: simulator ? 'embedded' : target.url,
      reference: against ?? 'embedded',
      startedAt: startedAt.toISOString(),
    })
    print(summaryOf(explored))
    print(`Reports: ${folder}`)
    if (end.decided) print(visibleLine(endText(end.decided)))
    if (end.decided) return end.decided.cause === 'target-gone' ? exitCode.target : exitCode.incomplete
    return explored.findings.length + explored.histories.length > 0 ? exitCode.notConforming : exitCode.conforming
  } finally {
    removeHandlers()
    await simulator?.close()
  }
}

const journalsIn = (
  folder: string,
  isEmbedded: boolean,
  isAgainst: boolean,
): NonNullable<ExplorationOptions['journalFolders']> => ({
  ...(!isEmbedded && { target: folder }),
  ...(isAgainst && { reference: `${folder}-model` }),
})

/** Rejects with `UsageError`, and like `replay`. */
async function replayOn(options: ExplorationOptions, file: string): Promise<ExitCode> {
  const {
    answers,
    isSame,
    pointer = '',
  } = await replay(options, readSaved(await readInputText(file, 'a saved finding'), file))
  for (const { about, reference, target } of answers)
    print(visibleLine(`${about}: reference ${reference}, target ${target}`))
  const place = pointer === '' ? '' : `, at ${pointer}`
  print(visibleLine(isSame ? `The finding still exists${place}.` : 'The finding no longer exists.'))
  return isSame ? exitCode.notConforming : exitCode.conforming
}

interface Limits {
  /** Milliseconds. */
  budget?: number
  sequences?: number
  maxFindings?: number
}

function limitsOf(flags: Flags): Limits {
  const [budget, sequences, maxFindings] = [flags['budget'], flags['sequences'], flags['findings']]
  return {
    ...(typeof budget === 'string'
      ? { budget: milliseconds(budget) }
      : sequences === undefined && { budget: defaultBudget }),
    ...(typeof sequences === 'number' && { sequences }),
    ...(typeof maxFindings === 'number' && { maxFindings }),
  }
}

function milliseconds(text: string): number {
  const [, number, unit] = /^(\d{1,5})(s|m|h)$/.exec(text) ?? []
  if (number === undefined) throw new UsageError(`--budget: ${text} is not a duration; use for example 90s, 5m or 1h`)
  return Number(number) * (unit === 's' ? 1000 : unit === 'm' ? 60_000 : 3_600_000)
}

function printEvent(event: ExploreEvent): void {
  if (event.kind === 'notice') printError(visibleLine(event.sentence))
  if (event.kind === 'outage') {
    const { from, to } = event.outage
    printError(
      to === undefined
        ? `the ${event.side} has not answered since ${timeOf(from)}; the exploration waits`
        : `the ${event.side} answers again since ${timeOf(to)}; the exploration continues`,
    )
  }
  if (event.kind === 'divergence') print(knownDifference(event.divergence))
  if (event.kind === 'history') {
    const { id, sentence, rules, calls, longest, seenAfter } = event.history
    printLine(
      `${id}: ${sentence} (${rules.join(', ')}): no order of the requests explains all ${calls.length} answers, at most ${longest.length}; after ${seenAfter} s`,
    )
  }
  if (event.kind === 'finding') {
    const { id, ruling, operation, pointer, steps, answers, seenAfter } = event.finding
    const rules = ruling.rules.length > 0 ? ` (${ruling.rules.join(', ')})` : ''
    printLine(`${id}: ${ruling.kind}${rules}: ${ruling.because}`)
    printLine(`    ${operation} ${pointer}: reference ${answers.reference.said}, target ${answers.target.said}`)
    printLine(
      `    ${count(steps.length, 'request')}: ${steps.map(({ about }) => about).join(' -> ')}; after ${seenAfter} s`,
    )
  }
}

/** Answers of the target cannot add lines. */
const printLine = (line: string): void => print(visibleLine(line))

const knownDifference = ({ points, operation, reference, target }: MetDivergence): string =>
  visibleLine(`known difference ${points.join(', ')}: ${operation}: reference ${reference}, target ${target}`)

const timeOf = (iso: string): string => `${iso.slice(11, 19)} UTC`

function summaryOf({
  sequences,
  discarded,
  exchanges,
  raced,
  seconds,
  findings,
  histories,
  trials,
  divergences,
  seed,
  unconfirmed,
}: Exploration): string {
  const perSecond = Math.round(exchanges / seconds)
  const once = [...unconfirmed.values()].reduce((sum, times) => sum + times, 0)
  return [
    `${exchanges} requests in ${sequences} request sequences, ${seconds} s (${perSecond} per second), seed ${seed}:`,
    [
      count(findings.length, 'finding'),
      `${count(histories.length, 'non-linearizable history', 'non-linearizable histories')} in ${count(trials, 'concurrency trial')} (${count(raced, 'more request')})`,
      count(divergences.length, 'known difference'),
      count(once, 'unconfirmed difference'),
      ...(discarded > 0 ? [`${count(discarded, 'result')} discarded because of outages`] : []),
    ].join(', '),
  ].join(' ')
}

const explorationFolder = (results: string, seed: string): string =>
  join(results, `explore-${seed.replace(/[^\w.-]/g, '_')}`)

/** Rejects with `UsageError`. */
async function writeExploration(folder: string, explored: ExplorationRecord): Promise<void> {
  const json = JSON.stringify(
    explored,
    (_, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value),
    2,
  )
  await writeTexts(folder, [
    ['exploration.json', `${json}\n`],
    ['report.html', exploredHtml(explored)],
    ...explored.findings.map((finding): [string, string] => [`${finding.id}.json`, savedText(finding)]),
  ])
}
