import { printError } from '../../lib/print.js'

/**
 * Prints only the stack or the message of an error: its other members may contain client data. No caller passes request
 * headers, so no token is printed.
 */
export function log(what: string, error: unknown): void {
  printError(`simulator: ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}
