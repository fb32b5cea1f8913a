import { readFileSync } from 'node:fs'

/** Clock ticks of Linux in a second. */
const ticks = 100

/**
 * Processor seconds of a process and of its ended children, user and system. Elsewhere than on Linux: 0.
 * @param {number | 'self'} process
 */
export function processorSeconds(process) {
  try {
    const stat = readFileSync(`/proc/${process}/stat`, 'utf8')
    // The name of the program, in parentheses, may contain spaces. Fields 14 to 17 are the times.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks
  } catch {
    return 0
  }
}
