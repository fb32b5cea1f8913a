/** Loaded before a program that is started with a fourth stream: tells there, as it ends, the most memory that it took, in KiB. */
import { writeSync } from 'node:fs'

const stream = 3

process.on('exit', () => {
  writeSync(stream, String(process.resourceUsage().maxRSS))
})
