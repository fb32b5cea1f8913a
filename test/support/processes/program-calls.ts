/** Calls of the program in the test itself: a fifth of the time of its own process. */
import { type EmbeddedSimulator, startEmbeddedBy } from '../../../cli/target/embedded-simulator.js'
import { type EmbeddedOptions, serveSimulator } from '../../../cli/target/serve-simulator.js'
import { forgetSecrets } from '../../../lib/redaction/redaction.js'

export interface Printed {
  stdout: string
  stderr: string
}

async function serveHere(options: EmbeddedOptions): Promise<EmbeddedSimulator> {
  const { toggle, ...served } = await serveSimulator(options)
  return { ...served, toggle: async (points) => toggle(points) }
}

startEmbeddedBy(serveHere)

/** Only tests about late effects need to wait. */
export const quick = { CONFORM_LATE_CHECK: '0' }

let last: Promise<unknown> = Promise.resolve()

/** The console, the environment and the working directory belong to the process: one call at a time. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = last.then(() => {
    forgetSecrets()
    return work()
  })
  last = result.catch(() => undefined)
  return result
}

/** Keeps what the work prints to the console. */
export async function capturing<Result>(work: () => Promise<Result>): Promise<Printed & { result: Result }> {
  const printed: Printed = { stdout: '', stderr: '' }
  const { log, error } = console
  console.log = (...values) => {
    printed.stdout += `${values.join(' ')}\n`
  }
  console.error = (...values) => {
    printed.stderr += `${values.join(' ')}\n`
  }
  try {
    const result = await work()
    return { result, ...printed }
  } finally {
    console.log = log
    console.error = error
  }
}

/** Folder and variables as a new process would have them. */
export async function withSurroundings<Result>(
  { folder, environment }: { folder: string | undefined; environment: Readonly<Record<string, string>> },
  work: () => Promise<Result>,
): Promise<Result> {
  const [back, before] = [process.cwd(), process.env]
  if (folder !== undefined) process.chdir(folder)
  process.env = { ...before, ...environment }
  try {
    return await work()
  } finally {
    process.chdir(back)
    process.env = before
  }
}

/**
 * `simulate` listens for signals and for internal errors of its process, and ends after a signal. Here it receives SIGTERM at once, and its
 * listeners end with it.
 */
export async function withSignal<Result>(work: () => Promise<Result>): Promise<Result> {
  const added = new Map<string | symbol, () => void>()
  const note = (event: string | symbol, listener: () => void) => {
    // The first of each: modules that it loads add others for the whole process.
    if (!simulatorEvents.has(event) || added.has(event)) return
    added.set(event, listener)
    if (event === 'SIGTERM') listener()
  }
  process.on('newListener', note)
  try {
    return await work()
  } finally {
    process.off('newListener', note)
    for (const [event, listener] of added) process.off(event, listener)
  }
}

const simulatorEvents: ReadonlySet<string | symbol> = new Set(['SIGINT', 'SIGTERM', 'uncaughtException'])

/** The run receives SIGINT as soon as it listens. Other listeners of the process do not. */
export async function withInterruption<Result>(work: () => Promise<Result>): Promise<Result> {
  let isSent = false
  const send = (event: string | symbol, listener: () => void) => {
    if (event !== 'SIGINT' || isSent) return
    isSent = true
    queueMicrotask(listener)
  }
  process.on('newListener', send)
  try {
    return await work()
  } finally {
    process.off('newListener', send)
  }
}
