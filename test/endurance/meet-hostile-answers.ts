import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { exitCode } from '../../cli/console/exit-code.js'
import { readRecord } from '../../record/file/read-record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { commandLine } from '../support/processes/conform-process.js'
import type { HostileAnswer } from '../support/servers/hostile-answers.js'
import { hostileProxy } from '../support/servers/hostile-proxy.js'
import { inWords } from '../support/words/in-words.js'

/** Milliseconds, also on a busy machine. A run that waits for each of its requests needs longer. */
const longestRun = 300_000
const mib = 1024 * 1024
const largestMemory = 700 * mib
const longestRecord = 160 * mib
const longestSummary = 65_536

/** Rows that read, commit, prepare, execute and change vetting. */
const someRows = [
  ...['CBI-WITNESSES/*', 'SAW-OPTIONAL-FIELDS/*', 'EWT-ANSWER/*', 'EXE-USER/*'],
  ...['VET-APPLY/*', 'VET-STALE/*', 'SAW-COMPLETION/*', 'EWT-SIGNED/*'],
]

export interface Met {
  name: string
  /** Null: ended by a signal. */
  code: number | null
  milliseconds: number
  /** Maximum bytes of the run's process, without proxy and simulator. */
  memory: number
  /** Broken guarantees. */
  problems: string[]
}

/** `folder` receives the results. Each answer has its own simulator and run. */
export async function meetAll(
  answers: readonly HostileAnswer[],
  folder: string,
  met: (one: Met) => void,
  only: readonly string[] = someRows,
): Promise<void> {
  for (const [index, answer] of answers.entries()) met(await meet(answer, only, join(folder, String(index))))
}

async function meet({ name, path, answer }: HostileAnswer, only: readonly string[], folder: string): Promise<Met> {
  const simulator = await startSimulator()
  const proxy = await hostileProxy(simulator.url)
  proxy.answerBy({ path, answer })
  try {
    const begin = performance.now()
    const ran = await runAgainst(proxy.url, only, folder)
    const milliseconds = performance.now() - begin
    const problems = [...problemsOfProcess(ran, milliseconds), ...(await problemsOfFolder(join(folder, 'latest'), ran))]
    return { name, milliseconds, code: ran.code, memory: ran.memory, problems }
  } finally {
    await proxy.close()
    await simulator.close()
  }
}

interface Ran {
  code: number | null
  memory: number
  output: string
}

async function runAgainst(url: string, only: readonly string[], out: string): Promise<Ran> {
  const memoryReport = new URL('../support/processes/report-memory.js', import.meta.url).href
  const allowed = ['--allow', 'read', 'write', 'topology', 'upload']
  const child = spawn(
    process.execPath,
    [
      ...['--import', memoryReport, ...commandLine, 'run', '--target', url, '--out', out, '--request-timeout', '1'],
      ...[...allowed, ...(only.length > 0 ? ['--only', ...only] : [])],
    ],
    { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1', CONFORM_LATE_CHECK: '0' } },
  )
  const [, stdout, stderr, memory] = child.stdio
  const closed = once(child, 'close')
  const streams = await Promise.all(
    [stdout, stderr, memory].map((stream) => (stream instanceof Readable ? text(stream) : '')),
  )
  const [code] = (await closed) as [number | null] // the arguments of the event
  return { code, output: `${streams[0]}\n${streams[1]}`, memory: Number(streams[2]) * 1024 }
}

function problemsOfProcess({ code, memory, output }: Ran, milliseconds: number): string[] {
  const problems: string[] = []
  if (code === null || code === exitCode.fault || code === exitCode.usage || /\n {4}at /.test(output))
    problems.push(`exit ${code}: ${output.slice(0, 2000)}`)
  if (milliseconds > longestRun) problems.push(`the run took ${Math.round(milliseconds / 1000)} s`)
  if (memory === 0 || memory > largestMemory) problems.push(`the run used ${Math.round(memory / mib)} MiB of memory`)
  if (hasControls(output)) problems.push('the output contains control characters')
  return problems
}

/** A run that found no usable target leaves no record. */
async function problemsOfFolder(folder: string, { code }: Ran): Promise<string[]> {
  const files = await readdir(folder)
  const problems = await Promise.all(files.map((file) => problemsOfFile(folder, file)))
  if (files.includes('run.ndjson.br')) problems.push(await problemsOfRecord(join(folder, 'run.ndjson.br'), code))
  else if (code !== exitCode.target && code !== exitCode.incomplete) problems.push([`exit ${code}, without a record`])
  return problems.flat()
}

async function problemsOfRecord(path: string, code: number | null): Promise<string[]> {
  const { rows, defects, footer, header } = await readRecord(path)
  const problems = rows
    .filter(({ verdict }) => verdict === 'error')
    .map(({ id, reason }) => `${id}: error: ${inWords(reason)}`)
  if (!footer) problems.push('the record has no footer')
  if (!footer?.ended) problems.push(...defects)
  const isAll = rows.length === header.plan.length
  const isOpen = rows.some(({ verdict }) => verdict === 'fail' || verdict === 'blocked')
  if (code === exitCode.conforming && (!isAll || footer?.ended || isOpen))
    problems.push('exit 0 with rows that are not judged')
  return problems
}

async function problemsOfFile(folder: string, file: string): Promise<string[]> {
  const path = join(folder, file)
  const { size } = await stat(path)
  const problems: string[] = []
  if (file === 'run.ndjson.br' && size > longestRecord) problems.push(`${file} has ${size} bytes`)
  if (file === 'summary.md' && size > longestSummary) problems.push(`${file} has ${size} bytes`)
  if (/\.(?:md|xml|tap)$/.test(file) && hasControls(await readFile(path, 'utf8')))
    problems.push(`${file} contains control characters`)
  return problems
}

const hasControls = (output: string): boolean => output.includes('\u001b')
