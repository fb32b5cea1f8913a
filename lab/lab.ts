/** The commands of the laboratory: `npm run lab -- COMMAND`. */
import { Command } from 'commander'
import picocolors from 'picocolors'
import { createAction } from '../cli/arguments/action.js'
import { positiveNumber, wholeNumber } from '../cli/arguments/numbers.js'
import { simulateOptions } from '../cli/arguments/simulate-arguments.js'
import { simulateCommand } from '../cli/commands/simulate-command.js'
import { explain } from '../cli/console/failure.js'
import { printMistake } from '../lib/print.js'
import { dropCommand } from './drop-command.js'
import { falseAlarmsCommand } from './false-alarms-command.js'
import { findOverrides } from './find-overrides.js'
import { mutantsCommand, variantsCommand } from './list-command.js'
import { proveCommand } from './prove-command.js'
import { sweepCommand } from './sweep-command.js'

const color = picocolors.isColorSupported
const { action } = createAction(color, (code) => {
  process.exitCode = code
})

const program = new Command('lab').description('Tests the conformance suite with simulators that have seeded faults')

simulateOptions(program)
  .option('--mutant <name>', 'break one rule; `mutants` prints the names')
  .option('--variant <name...>', 'permitted variants: use freedoms of the text; `variants` prints the names')
  .action(
    action(async ({ mutant, variant: variants, ...flags }) =>
      simulateCommand(flags, findOverrides({ mutant, variants })),
    ),
  )

program
  .command('mutants')
  .description('list the mutants: simulators with one seeded fault, which breaks one rule')
  .option('--only <pattern>', 'only mutants whose name, rule or operation matches; * matches any text')
  .action(action(mutantsCommand))

program
  .command('variants')
  .description('list the permitted variants of the simulator')
  .option('--only <pattern>', 'only permitted variants whose name matches; * matches any text')
  .action(action(variantsCommand))

program
  .command('prove')
  .description('mutation-test the suite, and find assertions that cannot fail')
  .option('--only <pattern>', 'only mutants whose name, rule or operation matches; * matches any text')
  .option('--all', 'run every row against each mutant, not only the rows that can meet it; takes an hour')
  .option('--sample <n>', 'a random sample of this size, the same each time', positiveNumber)
  .option('--vacuity', 'with --only or --sample: also check that every expectation can fail')
  .option('--json <file>', 'write the mutation report as JSON')
  .option('--markdown <file>', 'write the mutation report as Markdown')
  .action(action(proveCommand))

program
  .command('drop')
  .description('report the mutants that no other case detects')
  .argument('<case>', 'id of a case')
  .action(action(dropCommand))

program
  .command('sweep')
  .description('change each member of the answers of a conforming simulator, and count the changes that a row finds')
  .option('--only <pattern>', 'only matching operations')
  .option('--json <file>', 'write the figures into the mutation report as JSON')
  .option('--markdown <file>', 'write the figures into the mutation report as Markdown')
  .action(action(sweepCommand))

program
  .command('false-alarms')
  .description('count false alarms in shuffled runs against conforming simulators')
  .argument('<runs>', 'number of runs', positiveNumber)
  .option('--after <n>', 'skip the first runs', wholeNumber)
  .action(action(falseAlarmsCommand))

try {
  await program.parseAsync()
} catch (error) {
  const { text, code } = explain(error, color)
  printMistake(text)
  process.exitCode = code
}
