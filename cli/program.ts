/**
 * The command `conform`: arguments and wiring, nothing else. Each command is loaded when it is called: the simulator would
 * start in twice the time if it waited for the runner, its schemas and the reports.
 */
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import picocolors from 'picocolors'
import { printCrashes, printData, printError, printMistake } from '../lib/print.js'
import { usualProfile, usualResults } from '../reports/wording/shell.js'
import { type ExitCode, exitCode } from './console/exit-code.js'
import { watchOutput } from './console/standard-output.js'
import { diffFormats, reportFormats } from './output/format-names.js'
import {
  addCertifySettings,
  addCleanSettings,
  addDoctorSettings,
  addExploreSettings,
  addRunSettings,
} from './target/run-settings.js'
import type { EmbeddedOptions, ServedSimulator } from './target/serve-simulator.js'
import { toolIdentity } from './tool/tool.js'

const color = picocolors.isColorSupported

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number')
  return Number(text)
}

function positiveNumber(text: string): number {
  const number = wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('expected a whole number of at least 1')
  return number
}

/** Runs a command and ends the process by its exit code; every error is explained on standard error. */
const ending =
  <T extends unknown[]>(command: (...given: T) => Promise<ExitCode>) =>
  async (...given: T): Promise<void> => {
    try {
      process.exitCode = await command(...given)
    } catch (error) {
      const { explain } = await import('./console/failure.js')
      const { text, code } = explain(error, color)
      printMistake(text)
      process.exitCode = code
    }
  }

const program = new Command('conform')
  .description("Certifies a ledger participant's JSON interface, and simulates one")
  .version(toolIdentity().version)
  .exitOverride()
  .configureOutput({
    writeOut: (text) => printData(text.trimEnd()),
    writeErr: (text) => printError(text.trimEnd()),
  })
  // What stands behind `list rules` belongs to it, and not to `list`.
  .enablePositionalOptions()
  .showSuggestionAfterError()
addRunSettings(
  program
    .command('run')
    .description('run the suite against a participant (or the embedded simulator) and write the reports'),
).action(ending(async (flags) => (await import('./commands/run-command.js')).runCommand(flags, color)))

addDoctorSettings(
  program
    .command('doctor')
    .description('look whether a run makes sense on a participant, and which rows it would run; changes nothing there'),
)
  .option('--json', 'tell it in one JSON document')
  .action(ending(async (flags) => (await import('./commands/doctor-command.js')).doctorCommand(flags, color)))

addCleanSettings(
  program
    .command('clean')
    .description('put back at a participant what runs that were ended have left changed')
    .argument('[run]', 'one of them: its id, its record or its folder; all of the folder of results unless given'),
).action(
  ending(async (run: string | undefined, flags) =>
    (await import('./commands/clean-command.js')).cleanCommand(run, flags),
  ),
)

addExploreSettings(
  program
    .command('explore')
    .description('compare a participant with the model in conversations that nobody wrote, and shrink what differs'),
)
  .option('--against <url>', 'another participant in place of the embedded simulator')
  .option('--budget <time>', 'how long: 90s, 5m, 1h (default: 1m)')
  .option('--sequences <n>', 'how many conversations', positiveNumber)
  .option('--strength <n>', 'of how many members of a request every combination is tried (default: 2)', positiveNumber)
  .option('--replay <file>', 'only play a finding again that an exploration wrote')
  .option('--findings <n>', 'ends when there are so many (default: 50)', positiveNumber)
  .option('--only <operation>', 'conversations about one operation')
  .action(ending(async (flags) => (await import('./commands/explore-command.js')).exploreCommand(flags)))

addCertifySettings(
  program
    .command('certify')
    .description('run the suite by the strict rules, and sign a run that conforms')
    .requiredOption('--signer <name>', 'who signs: a person or an organisation')
    .option('--key <file>', 'private key (PEM) to sign with: Ed25519 or ECDSA')
    .option('--key-passphrase-file <file>', 'its passphrase; or in the variable CONFORM_KEY_PASSPHRASE')
    .option('--challenge <text>', 'a text that a verifier has drawn: the seed of the run follows from it')
    .option('--also <runs...>', 'earlier runs of the same participant version whose evidence counts as well')
    .option('--key-command <line>', 'a command that signs what it reads, and prints the signature')
    .option('--public-key <file>', 'public key (PEM) that belongs to that command'),
).action(ending(async (flags) => (await import('./commands/certify-command.js')).certifyCommand(flags, color)))

program
  .command('verify')
  .description('look whether a certified bundle is what was signed, and judge every verdict again')
  .argument('<bundle>', 'folder that conform certify has left')
  .option('--key <file>', 'public key (PEM) of the expected signer')
  .option('--suite <folder>', 'the suite to compare with; that of the program unless it is named')
  .option(
    '--challenge <text>',
    'the text that the signer was given for the run; the seed of the run must follow from it',
  )
  .action(
    ending(async (bundle: string, flags) =>
      (await import('./commands/verify-command.js')).verifyCommand(bundle, flags, color),
    ),
  )

program
  .command('report')
  .description('write the reports of an earlier run from its record')
  .argument('<run>', 'run record (.ndjson), its folder, or that of all results for the newest')
  .option('--format <names...>', `what to write: all, or some of ${reportFormats.join(', ')}`, ['all'])
  .option('--out <folder>', 'folder for the reports; beside the record unless it is said')
  .option('--profile <name>', 'judge the evidence of the run again, by this profile')
  .option('--baseline <run>', 'an earlier run that the HTML report compares with')
  .option('--suggest-waivers', 'print entries for a file of waivers that would excuse what failed')
  .action(
    ending(async (run: string, flags) =>
      (await import('./commands/report-command.js')).reportCommand(run, { ...flags, color }),
    ),
  )

program
  .command('merge')
  .description('put the parts of a run together that ran apart (--shard), with reports as of one run')
  .argument('<runs...>', 'run records (.ndjson), their folders, or those of all results for the newest')
  .option('--out <folder>', 'folder for results; the merged run has one of its own in it', usualResults)
  .option('--baseline <run>', 'an earlier run: only what is worse now keeps this one from ending well')
  .action(
    ending(async (runs: string[], flags) =>
      (await import('./commands/merge-command.js')).mergeCommand(runs, { ...flags, color }),
    ),
  )

program
  .command('history')
  .description('make one page over many runs: which rows changed and when, which are flaky, how long operations took')
  .argument('<folders...>', 'folders with runs, at any depth; or run records')
  .option('--out <file>', 'the page', 'history.html')
  .action(
    ending(async (folders: string[], flags) =>
      (await import('./commands/history-command.js')).historyCommand(folders, flags),
    ),
  )

program
  .command('diff')
  .description('compare two runs; ends with 1 for regressions alone')
  .argument('<before>', 'run record (.ndjson), its folder, or that of all results for the newest')
  .argument('<after>', 'the later one')
  .option('--format <names...>', `how to tell: ${diffFormats.join(', ')}`, ['console'])
  .option('--times', 'tell what is much slower or faster than before, too')
  .option('--out <folder>', 'folder for everything but the console; without it texts are printed')
  .action(
    ending(async (before: string, after: string, flags) => {
      const { diffCommand } = await import('./commands/diff-command.js')
      return diffCommand(before, after, { ...flags, color })
    }),
  )

program
  .command('simulate')
  .description('start the simulator; prints its URL when it is ready')
  .option('--port <n>', 'TCP port; 0 picks a free one', wholeNumber, 7575)
  .option('--host <name>', 'name or address to listen on; others than the loopback address are warned of', '127.0.0.1')
  .option('--allow-host <name...>', 'further host names that requests may be addressed to: of a container or a service')
  .option('--allow-origin <origin...>', 'origins of web pages that may send requests and read the answers (CORS)')
  .option('--behaviour <name>', 'interface or canton-3.5', 'canton-3.5')
  .option('--authorization <how>', 'none, hs256:SECRET, rs256:FILE, es256:FILE, es512:FILE or jwks:URL', 'none')
  .option('--max-token-lifetime <seconds>', 'longest time until a token expires (default: 300)', positiveNumber)
  .option('--protocol-version <n>', '34 or 35 (default: 35)', wholeNumber)
  .option('--synchronizers <n>', 'how many the participant is connected to: 0, 1 or more (default: 1)', wholeNumber)
  .option('--seed <text>', 'repeats every id of an earlier run')
  .option('--data <file>', 'start from a saved state, which brings its own seed, protocol version and synchronizers')
  .option('--save', 'keep the --data file up to date while it runs; it need not be there yet')
  .option('--package <file...>', 'DARs to upload and vet at the start; each after those that it upgrades', [])
  .option('--user <id...>', 'users that exist from the first request on, without rights')
  .option('--deviation <name>', 'break one rule, in the way that bears this name: `list deviations` has them')
  .option('--variation <name...>', 'use what the text leaves open: `list variations` has the names')
  .option('--verbose', 'print each request and its status on standard error, and why its token was rejected')
  .option('--control', 'serve the control plane below /control: reset, clock, faults, journal and more')
  .action(ending(async (flags) => (await import('./commands/simulate-command.js')).simulateCommand(flags)))

const list = program
  .command('list')
  .enablePositionalOptions()
  .description('list the rows of the suite')
  .option('--only <pattern>', 'only rows whose id, operation or rule matches; * stands for any text')
  .option('--suite <folder>', 'another suite than the one that comes with the tool')
  .action(ending(async (flags) => (await import('./commands/list-command.js')).listCommand(flags)))
list
  .command('rules')
  .description('list the rules of the interface and the cases that judge them')
  .option('--only <pattern>', 'only rules whose id, section or operation matches; * stands for any text')
  .option('--markdown', 'print the page docs/coverage.md')
  .option('--current <file>', 'only say whether the file is that page')
  .option('--suite <folder>', 'another suite than the one that comes with the tool')
  .action(ending(async (flags) => (await import('./commands/list-rules-command.js')).listRulesCommand(flags)))

list
  .command('deviations')
  .description('list the ways in which the simulator can break one rule')
  .option('--only <pattern>', 'only deviations whose name, rule or operation matches; * stands for any text')
  .action(ending(async (flags) => (await import('./commands/list-deviations-command.js')).listDeviationsCommand(flags)))
list
  .command('variations')
  .description('list the differences that the text permits and the simulator can have')
  .option('--only <pattern>', 'only variations whose name matches; * stands for any text')
  .action(ending(async (flags) => (await import('./commands/list-deviations-command.js')).listVariationsCommand(flags)))

program
  .command('show')
  .description('show what a row sends and expects, by which rule, and why')
  .argument('<row>', 'id of a row, or a pattern: id, operation or rule; * stands for any text')
  .option('--profile <name>', 'what it would be judged by', usualProfile)
  .option(
    '--protocol-version <n>',
    'of the synchronizer; the highest that the profile speaks of unless given',
    positiveNumber,
  )
  .option('--json', 'one line of JSON for each row: the resolved row itself')
  .option('--suite <folder>', 'another suite than the one that comes with the tool')
  .action(ending(async (row: string, flags) => (await import('./commands/show-command.js')).showCommand(row, flags)))

program
  .command('prove')
  .description(
    'prove what the suite is worth: which deviations of the simulator it finds, and that all it expects can fail',
  )
  .option('--only <pattern>', 'only deviations whose name, rule or operation matches; * stands for any text')
  .option('--all', 'perform every row against each, in place of those that can meet it; takes an hour')
  .option('--sample <n>', 'so many of the deviations, at random, and the same ones each time', positiveNumber)
  .option('--drop <case>', 'only tell which deviations nothing would find without this case')
  .option(
    '--clean <n>',
    'so many shuffled runs against conforming participants, in place of deviations',
    positiveNumber,
  )
  .option('--after <n>', 'with --clean: the runs that come after so many others', wholeNumber)
  .option('--vacuity', 'with --only or --sample: look as well whether every expectation can fail')
  .option('--json <file>', 'write the kill matrix there')
  .option('--markdown <file>', 'write it there for people')
  .option('--suite <folder>', 'another suite than the one that comes with the tool')
  .action(ending(async (flags) => (await import('./commands/prove-command.js')).proveCommand(flags)))

program
  .command('lint')
  .description('check the suite files')
  .option('--suite <folder>', 'another suite than the one that comes with the tool')
  .action(ending(async (flags) => (await import('./commands/lint-command.js')).lintCommand({ ...flags, color })))

/** For errors that no command caught. */
async function endAfterCrash(error: unknown): Promise<void> {
  const { explain } = await import('./console/failure.js')
  printMistake(explain(error, color).text)
  process.exit(exitCode.fault)
}

/** Does what the arguments of the process ask for, and leaves its exit code. */
export async function main(): Promise<void> {
  watchOutput()
  printCrashes((error) => void endAfterCrash(error))
  try {
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and version end well; everything else is a mistake in the call.
    process.exitCode = error.exitCode === 0 ? exitCode.conforming : exitCode.usage
  }
}

/** For the thread of an embedded simulator. */
export const serveSimulator = async (options: EmbeddedOptions): Promise<ServedSimulator> =>
  (await import('./target/serve-simulator.js')).serveSimulator(options)
