import { printError } from '../../lib/print.js'

/**
 * Says on standard error what went wrong here, on one line for each line of the error's stack and nothing else of it: what
 * else an error carries may hold what a client sent. A request's headers are never told, so no token is.
 */
export function log(what: string, error: unknown): void {
  printError(`simulator: ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}
