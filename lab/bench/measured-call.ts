import { spawnSync } from 'node:child_process'

/** Prints the resources of the process when it ends. */
const measure = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  console.error(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 }))
})`

/** Processor seconds and MiB of a command. Throws if it fails. */
export function measuredCall(...options: string[]): { cpu: number; memory: number } {
  const preload = `data:text/javascript,${encodeURIComponent(measure)}`
  const call = [process.execPath, '--import', preload, 'dist/cli/conform.js', ...options]
  // A process inherits the largest memory of the process that starts it, so a shell starts it.
  const { status, stdout, stderr } = spawnSync('sh', ['-c', '"$@"; exit $?', 'sh', ...call], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`conform ${options[0]} exited with ${status}\n${stdout}${stderr}`)
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { cpu: number; memory: number } // the preloaded script
}
