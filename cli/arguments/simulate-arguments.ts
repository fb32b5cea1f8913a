import type { Command } from 'commander'
import type { Action } from './action.js'
import { positiveNumber, wholeNumber } from './numbers.js'

export function addSimulateCommand(program: Command, { action }: Action): void {
  simulateOptions(program).action(
    action(async (flags) => (await import('../commands/simulate-command.js')).simulateCommand(flags)),
  )
}

/** The command without its action, which the laboratory extends. */
export const simulateOptions = (program: Command): Command =>
  program
    .command('simulate')
    .description('start the simulator and print its URL when it is ready')
    .option('--port <n>', 'TCP port; 0 selects a free port', wholeNumber, 7575)
    .option(
      '--host <name>',
      'name or address to listen on; prints a warning if it is not a loopback address',
      '127.0.0.1',
    )
    .option('--allow-host <name...>', 'additional names for the Host header, such as a container or service name')
    .option('--allow-origin <origin...>', 'origins of web pages that may send requests and read the answers (CORS)')
    .option('--behaviour <name>', 'interface, canton-3.4, canton-3.5 or canton-3.6', 'canton-3.5')
    .option('--authorization <how>', 'none, hs256:SECRET, rs256:FILE, es256:FILE, es512:FILE or jwks:URL', 'none')
    .option('--max-token-lifetime <seconds>', 'longest time until a token expires (default: 300)', positiveNumber)
    .option('--protocol-version <n>', '34 or 35 (default: 35)', wholeNumber)
    .option('--synchronizers <n>', 'number of connected synchronizers: 0, 1 or more (default: 1)', wholeNumber)
    .option('--seed <text>', 'repeat every id of an earlier run')
    .option('--data <file>', 'start from a saved state, which includes seed, protocol version and synchronizers')
    .option('--save', 'update the --data file while the simulator runs; the file may be missing at the start')
    .option('--package <file...>', 'DARs to upload and vet at the start, in upgrade order', [])
    .option('--user <id...>', 'users without rights that exist from the start')
    .option('--verbose', 'print each request, its status and the reason of a rejected token to standard error')
    .option('--control', 'serve the control plane under /control: reset, clock, faults, journal and more')
