import { spawnSync } from 'node:child_process'

/** Prints the resources of the process when it ends. */
const measure = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  console.error(JSON.stringify({ elapsed: performance.now(), cpu: (userCPUTime + systemCPUTime) / 1000, memory: maxRSS / 1024 }))
})`

/**
 * Calls a command with its resources: elapsed and processor time in milliseconds, memory in MiB. Throws for another exit code than `expected`.
 * @param {string[]} options
 */
export function measuredCall(options, expected = 0) {
  const preload = `data:text/javascript,${encodeURIComponent(measure)}`
  const call = ['--import', preload, 'dist/cli/conform.js', ...options]
  // A process inherits the largest memory of the process that starts it, so a shell starts it.
  const { status, stdout, stderr } = spawnSync('sh', ['-c', '"$@"; exit $?', 'sh', process.execPath, ...call], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  if (status !== expected) throw new Error(`conform ${options[0]} exited with ${status}\n${stdout}${stderr}`)
  /** @type {{ elapsed: number, cpu: number, memory: number }} */
  const used = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
  return { ...used, output: stdout + stderr }
}

export const inSeconds = (/** @type {number} */ time) => `${(time / 1000).toFixed(2)} s`
