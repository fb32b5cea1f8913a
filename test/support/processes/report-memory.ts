/** Preloaded: writes the maximum memory in KiB to the fourth stream at exit. */
import { readFileSync, writeSync } from 'node:fs'

const stream = 3

// getrusage includes the parent process.
const mostSinceStart = (): string | undefined =>
  /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]

process.on('exit', () => void writeSync(stream, mostSinceStart() ?? ''))
