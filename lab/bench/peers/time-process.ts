import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Call } from './tools.js'

export interface Taken {
  /** Milliseconds. */
  passed: number
  /** Milliseconds of processor time of all threads and child processes. */
  worked: number
}

/** Rejects for an exit code other than 0. */
export async function timeProcess({ command, options, environment }: Call, cwd: string): Promise<Taken> {
  const began = performance.now()
  // The last line has the times of child processes.
  const child = spawn('sh', ['-c', '"$@" >&2; code=$?; times; exit $code', 'sh', command, ...options], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', CI: '1', ...environment },
  })
  const [times, output, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const passed = performance.now() - began
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${output.slice(-2000)}`)
  const [user = 0, system = 0] = (times.trim().split('\n').at(-1) ?? '').split(' ').map(milliseconds)
  return { passed, worked: user + system }
}

function milliseconds(time: string): number {
  const [, minutes = '0', seconds = '0'] = /^(\d+)m([\d.]+)s$/.exec(time) ?? []
  return Number(minutes) * 60_000 + Number(seconds) * 1000
}
