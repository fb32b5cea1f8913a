/** Limits of the process that are too small for a run. Only Linux states them in a file; elsewhere no limit is known. */
import { readInputSync } from '../../lib/files/read-input.js'
import { printError } from '../../lib/print.js'

const gib = 1024 ** 3

/** Below `least`, the program cannot load its own files. Below `enough`, a large run may fail. */
const openFiles = {
  least: 128,
  enough: 256,
}

/** Node.js reserves address space for WebAssembly, which its HTTP client needs. Measured: 11 GiB fail, 12.4 GiB suffice. */
const leastAddressSpace = 13 * gib

interface LimitProblem {
  /** One sentence, and the remedy. */
  message: string
  /** No command works. */
  isFatal: boolean
}

/**
 * `text`: content of /proc/self/limits.
 * @internal
 * @example problemsOfLimits('Max open files            64   128   files')[0]?.isFatal // true
 */
export function problemsOfLimits(text: string): LimitProblem[] {
  const problems: LimitProblem[] = []
  const files = softLimit(text, 'Max open files')
  if (files < openFiles.enough)
    problems.push({
      message: `The process may open only ${files} files and connections. Set \`ulimit -n ${openFiles.enough}\` or more.`,
      isFatal: files < openFiles.least,
    })
  const bytes = softLimit(text, 'Max address space')
  if (bytes < leastAddressSpace)
    problems.push({
      message: `The process may use only ${(bytes / gib).toFixed(1)} GiB of address space; Node.js needs ${leastAddressSpace / gib} GiB. Set \`ulimit -v unlimited\`.`,
      isFatal: true,
    })
  return problems
}

/** `unlimited` and unknown limits are infinite. */
function softLimit(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  const value = line?.slice(name.length).trim().split(/\s+/)[0] ?? ''
  return /^\d+$/.test(value) ? Number(value) : Number.POSITIVE_INFINITY
}

/** Prints each problem. False if no command works. */
export function hasUsableLimits(): boolean {
  const problems = problemsOfLimits(limitsOfProcess())
  for (const { message, isFatal } of problems) printError(isFatal ? message : `warning: ${message}`)
  return !problems.some(({ isFatal }) => isFatal)
}

function limitsOfProcess(): string {
  try {
    return readInputSync('/proc/self/limits', 'a configuration file').toString('utf8')
  } catch {
    // Other systems have no such file.
    return ''
  }
}
