/** What a whole process takes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Call } from './tools.js'

export interface Taken {
  /** Milliseconds from its start to its end. */
  passed: number
  /** Milliseconds of processor time, of all its threads and children. */
  worked: number
}

/** Rejects, with what it printed, where it ends with anything but 0: it would not have done what is measured. */
export async function timeProcess({ command, options, environment }: Call, cwd: string): Promise<Taken> {
  const began = performance.now()
  // The shell tells what those took that it waited for, in its last line.
  const child = spawn('sh', ['-c', '"$@" >&2; code=$?; times; exit $code', 'sh', command, ...options], {
    ...{ cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1', CI: '1', ...environment } },
  })
  const [printed, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const passed = performance.now() - began
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${said.slice(-2000)}`)
  const [user = 0, system = 0] = (printed.trim().split('\n').at(-1) ?? '').split(' ').map(milliseconds)
  return { passed, worked: user + system }
}

/** As in `0m1.250s`. */
function milliseconds(time: string): number {
  const [, minutes = '0', seconds = '0'] = /^(\d+)m([\d.]+)s$/.exec(time) ?? []
  return Number(minutes) * 60_000 + Number(seconds) * 1000
}
