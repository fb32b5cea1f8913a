/** Loaded before a program that is started with a fourth stream: tells there, as it ends, the most memory that it took, in KiB. */
import { readFileSync, writeSync } from 'node:fs'

const stream = 3

// That of getrusage would be no less than what the process took that started this one.
const mostSinceStart = (): string | undefined =>
  /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]

process.on('exit', () => void writeSync(stream, mostSinceStart() ?? ''))
