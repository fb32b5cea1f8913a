/** Runs against a participant that answers one operation in a hostile way, and holds what is left to what every run promises. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conformanceModel } from '../../cli/conformance-model.js'
import { explain } from '../../cli/failure.js'
import { reportRun } from '../../cli/report-run.js'
import { readRecord } from '../../record/read-record.js'
import { EndedBeforeRows } from '../../runner/execute/early-end.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { run } from '../../runner/run.js'
import type { Suite } from '../../runner/suite/suite.js'
import { startSimulator } from '../../simulator/simulator.js'
import type { HostileAnswer } from '../hostile-answers.js'
import { hostileProxy } from '../hostile-proxy.js'
import { readTarget } from '../plain-target.js'

/** Milliseconds: an answer takes the simulator some, a run some hundred. */
const timeLimit = 1000
const patience = 1500
const longestRun = 45_000

/** A row or two of each kind: looking, committing, preparing and executing, vetting. */
const selection =
  /^(?:CBI-WITNESSES\/|SAW-OPTIONAL-FIELDS\/|EWT-ANSWER\/|EXE-USER\/|VET-APPLY\/|VET-STALE\/|SAW-COMPLETION\/|EWT-SIGNED\/)/

export interface Met {
  name: string
  code: number
  milliseconds: number
  /** What was not as every run promises; empty where all was. */
  problems: string[]
}

/** `folder` takes what the runs leave; each answer is met by a simulator of its own. */
export async function meetAll(
  answers: readonly HostileAnswer[],
  folder: string,
  met: (one: Met) => void,
): Promise<void> {
  const whole = await loadSuite(fileURLToPath(new URL('../../../suites/', import.meta.url)))
  const suite = selected(whole)
  for (const [index, answer] of answers.entries()) met(await meet(answer, suite, join(folder, String(index))))
}

function selected(suite: Suite): Suite {
  const cases = suite.cases.map((one) => ({
    ...one,
    rows: one.rows.filter(({ id }) => selection.test(`${one.id}/${id}`)).slice(0, 3),
  }))
  return { ...suite, cases: cases.filter(({ rows }) => rows.length > 0) }
}

async function meet({ name, path, answer }: HostileAnswer, suite: Suite, folder: string): Promise<Met> {
  const simulator = await startSimulator()
  const proxy = await hostileProxy(simulator.url)
  proxy.answerBy({ path, answer })
  const begin = performance.now()
  try {
    const { code, problems } = await attempt(proxy.url, suite, folder)
    const milliseconds = performance.now() - begin
    if (milliseconds > longestRun) problems.push(`it took ${Math.round(milliseconds / 1000)} s`)
    return { name, code, milliseconds, problems }
  } finally {
    await proxy.close()
    await simulator.close()
  }
}

async function attempt(url: string, suite: Suite, folder: string): Promise<{ code: number; problems: string[] }> {
  const recordFile = join(folder, 'run.ndjson')
  const profile = suite.profiles.get('canton-3.5')
  if (!profile) throw new Error('the suite has no profile canton-3.5')
  const options = {
    ...{ suite, profile, recordFile, timeLimit, patience },
    ...{ target: readTarget(url, 'none'), embedded: false, concurrency: 8 },
    ...{ tool: { name: 'conform', version: '0' }, model: conformanceModel },
    allow: new Set(['read', 'write', 'topology', 'upload'] as const),
  }
  try {
    await run(options, { planned: () => undefined, row: () => undefined })
  } catch (error) {
    if (error instanceof EndedBeforeRows) return { code: error.why.cause === 'target-gone' ? 3 : 5, problems: [] }
    const { code, text } = explain(error, false)
    return { code, problems: code !== 3 || /\n {4}at /.test(text) ? [text.slice(0, 2000)] : [] }
  }
  const code = await reportRun(await readRecord(recordFile), recordFile, folder, false)
  return { code, problems: [...(await problemsOf(recordFile, code)), ...(await problemsOfFiles(folder))] }
}

async function problemsOf(recordFile: string, code: number): Promise<string[]> {
  const { rows, defects, footer, header } = await readRecord(recordFile)
  const problems = rows.filter(({ verdict }) => verdict === 'error').map(({ id, reason }) => `${id}: error: ${reason}`)
  if (!footer) problems.push('there is no footer')
  if (!footer?.ended) problems.push(...defects)
  const isAll = rows.length === header.planned
  if (
    code === 0 &&
    (!isAll || footer?.ended || rows.some(({ verdict }) => verdict === 'fail' || verdict === 'blocked'))
  ) {
    problems.push('exit 0, and not every row is judged')
  }
  if (code === 4 || code === 2) problems.push(`exit ${code}`)
  return problems
}

const longestRecord = 160 * 1024 * 1024

async function problemsOfFiles(folder: string): Promise<string[]> {
  const problems: string[] = []
  for (const file of await readdir(folder)) {
    const { size } = await stat(join(folder, file))
    if (file === 'run.ndjson' && size > longestRecord) problems.push(`${file} has ${size} bytes`)
    if (file === 'summary.md' && size > 65_536) problems.push(`${file} has ${size} bytes`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    if (/\.(?:md|xml|tap)$/.test(file) && /\u001b/.test(await readFile(join(folder, file), 'utf8'))) {
      problems.push(`${file} would steer a terminal`)
    }
  }
  return problems
}
