/** The resources that one command of this program needs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export interface Resources {
  /** Processor seconds. */
  cpu: number
  /** The largest memory of the process, in MiB. */
  memory: number
}

/** Prints the resources of the process when it ends. */
const measure = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  console.error(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 }))
})`

/** A nonconforming participant ends a run with 1. Rejects for other codes. */
export async function measuredCall(...options: string[]): Promise<Resources> {
  const preload = `data:text/javascript,${encodeURIComponent(measure)}`
  const call = [process.execPath, '--import', preload, 'dist/cli/conform.js', ...options]
  // A process inherits the largest memory of the process that starts it, so a shell starts it.
  const child = spawn('sh', ['-c', '"$@"; exit $?', 'sh', ...call], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0 && code !== 1) throw new Error(`conform ${options[0]} exited with ${code}\n${stdout}${stderr}`)
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as Resources // the preloaded script
}

export const inWords = ({ cpu, memory }: Resources): string => `CPU ${cpu.toFixed(2)} s, ${Math.round(memory)} MiB`
