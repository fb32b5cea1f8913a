/** Commands load their modules when called: this halves the start time of the simulator. */
import { Argument, Command, CommanderError, InvalidArgumentError } from 'commander'
import picocolors from 'picocolors'
import { printCrashes, printData, printError, printMistake } from '../lib/print.js'
import { defaultProfile, defaultResults } from '../reports/wording/shell.js'
import { type CompletionShell, completionShells } from './console/completion.js'
import { type ExitCode, exitCode } from './console/exit-code.js'
import { watchOutput } from './console/standard-output.js'
import { diffFormats, reportFormats } from './output/formats.js'
import { renameVariables, withNewNames } from './target/renamed-words.js'
import { addSettings, suggestWords } from './target/setting-options.js'
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

const action =
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

const runExamples = `
Examples:
  conform run                                              the embedded simulator
  conform run --target http://127.0.0.1:7575 --only 'SAW-*'
  conform run --target URL --authorization hs256-env:KEY   tokens that the run signs
  conform run --target URL --token administrator=env:TOKEN
  conform run --config target.yaml --failed-of results     failures of the newest run
  conform run --target URL --only 'SAW-*' --watch          again after each change
  conform run --config target.yaml --baseline before       only regressions fail the run`

const program = new Command('conform')
  .description('Tests and certifies the JSON interface of a ledger participant, and simulates a participant')
  .version(toolIdentity().version)
  .exitOverride()
  .configureOutput({
    writeOut: (text) => printData(text.trimEnd()),
    writeErr: (text) => printError(text.trimEnd()),
  })
  // Options after `list rules` belong to `rules`, not to `list`.
  .enablePositionalOptions()
  .showSuggestionAfterError()
addSettings(
  program
    .command('run')
    .description('run the suite against a participant or the embedded simulator, and write the reports')
    .addHelpText('after', runExamples),
).action(
  action(async (flags) =>
    flags.watch === true
      ? (await import('./commands/watch-command.js')).watchCommand(flags, color)
      : (await import('./commands/run-command.js')).runCommand(flags, color),
  ),
)

addSettings(
  program
    .command('doctor')
    .description('check connection, credentials and permissions, and forecast which rows will run; read-only'),
)
  .option('--json', 'print one JSON document')
  .action(action(async (flags) => (await import('./commands/doctor-command.js')).doctorCommand(flags, color)))

addSettings(
  program
    .command('clean')
    .description('restore what interrupted runs left changed on a participant')
    .argument('[run]', 'id, record or folder of one run (default: all runs in the results folder)'),
).action(
  action(async (run: string | undefined, flags) =>
    (await import('./commands/clean-command.js')).cleanCommand(run, flags),
  ),
)

addSettings(
  program
    .command('token')
    .description('print a token for an actor of the suite, as a run sends it')
    .argument('<actor>', 'actor of the suite, such as alice; its user is that of the newest run, or of --user'),
)
  .option('--form <name>', 'token form of the suite, such as expired or foreign-audience (default: a valid token)')
  .action(
    action(async (actor: string, flags) => (await import('./commands/token-command.js')).tokenCommand(actor, flags)),
  )

addSettings(
  program
    .command('explore')
    .description(
      'send random request sequences to a participant and to the reference simulator; minimize any difference',
    ),
)
  .option('--against <url>', 'URL of a second participant, instead of the embedded simulator')
  .option('--budget <time>', 'duration: 90s, 5m, 1h (default: 1m)')
  .option('--sequences <n>', 'number of request sequences', positiveNumber)
  .option('--strength <n>', 'number of request members whose combinations are all sent (default: 2)', positiveNumber)
  .option('--replay <file>', 'send the request sequence of a saved finding again')
  .option('--findings <n>', 'stop after this number of findings (default: 50)', positiveNumber)
  .option('--only <operation>', 'limit the request sequences to one operation')
  .action(action(async (flags) => (await import('./commands/explore-command.js')).exploreCommand(flags)))

addSettings(
  program
    .command('learn')
    .description('write the observed behaviour of a participant as a profile that extends another one'),
)
  .option('--record <runs...>', 'recorded runs or files of recorded exchanges, instead of two runs on --target')
  .option('--from <profile>', 'the extended profile', defaultProfile)
  .option('--name <name>', 'name of the new profile')
  .option('--write <file>', 'file of the new profile (default: NAME.yaml)')
  .option('--by-row', 'where the rows of a situation disagree, learn the answer of each row')
  .option('--check', 'only report differences from the profile --from; exits with 1 if it finds any')
  .action(action(async (flags) => (await import('./commands/learn-command.js')).learnCommand(flags)))

addSettings(
  program
    .command('certify')
    .description('run the suite by the strict rules, and sign a conforming run')
    .requiredOption('--signer <name>', 'the person or organization that signs')
    .option('--key <file>', 'private key (PEM) for the signature: Ed25519 or ECDSA')
    .option(
      '--key-passphrase-file <file>',
      'file with the passphrase of the key, or use the variable CONFORM_KEY_PASSPHRASE',
    )
    .option('--challenge <text>', "a verifier's random text; the seed of the run is derived from it")
    .option('--also <runs...>', 'earlier runs of the same participant version that add their evidence')
    .option('--key-command <line>', 'command that reads the bytes to sign and prints the signature')
    .option('--public-key <file>', 'public key (PEM) of that command'),
).action(action(async (flags) => (await import('./commands/certify-command.js')).certifyCommand(flags, color)))

program
  .command('verify')
  .description('check the signature of a certified bundle, and judge every verdict again from its evidence')
  .argument('<bundle>', 'folder written by conform certify')
  .option('--key <file>', 'public key (PEM) of the expected signer')
  .option('--suite <folder>', 'the suite to compare with (default: the suite of this program)')
  .option('--challenge <text>', 'the text that you gave to the signer; the seed of the run must be derived from it')
  .action(
    action(async (bundle: string, flags) =>
      (await import('./commands/verify-command.js')).verifyCommand(bundle, flags, color),
    ),
  )

program
  .command('report')
  .description('write the reports of an earlier run from its record')
  .argument('<run>', 'run record (.ndjson), its folder, or the results folder for the newest run')
  .option(
    '--format <names...>',
    `reports to write: all, or some of ${reportFormats.join(', ')}; github prints annotations of a workflow`,
    ['all'],
  )
  .option('--out <folder>', 'folder for the reports (default: the folder of the record)')
  .option('--profile <name>', 'judge the evidence of the run again by this profile')
  .option('--text <file>', 'interface text, whose sentences are quoted beside the rules')
  .option('--baseline <run>', 'earlier run: regressions are first in each report, and github annotates only these')
  .option('--suggest-waivers', suggestWords)
  .action(
    action(async (run: string, flags) =>
      (await import('./commands/report-command.js')).reportCommand(run, { ...flags, color }),
    ),
  )

program
  .command('merge')
  .description('merge the shards of a run (--shard) and write the reports of one run')
  .argument('<runs...>', 'run records (.ndjson), their folders, or results folders for their newest runs')
  .option('--out <folder>', 'results folder; the merged run has its own folder in it', defaultResults)
  .option('--baseline <run>', 'earlier run: only regressions against it fail this run')
  .action(
    action(async (runs: string[], flags) =>
      (await import('./commands/merge-command.js')).mergeCommand(runs, { ...flags, color }),
    ),
  )

program
  .command('history')
  .description('write one HTML page over many runs: changed rows, flaky rows, response times')
  .argument('<folders...>', 'folders that contain runs at any depth, or run records')
  .option('--out <file>', 'HTML file to write', 'history.html')
  .action(
    action(async (folders: string[], flags) =>
      (await import('./commands/history-command.js')).historyCommand(folders, flags),
    ),
  )

program
  .command('prune')
  .description('remove the oldest runs of a results folder')
  .argument('[results]', 'results folder', defaultResults)
  .requiredOption('--keep <n>', 'number of newest runs to keep', positiveNumber)
  .option('--keep-failed', 'also keep runs with failed or blocked rows')
  .option('--certified', 'also remove certified bundles')
  .option('--dry-run', 'only print the runs that would be removed')
  .action(
    action(async (results: string, flags) =>
      (await import('./commands/prune-command.js')).pruneCommand(results, flags),
    ),
  )

program
  .command('diff')
  .description('compare two runs; exits with 1 only for regressions')
  .argument('<before>', 'run record (.ndjson), its folder, or the results folder for the newest run')
  .argument('<after>', 'record, folder or results folder of the later run')
  .option('--format <names...>', `output formats: ${diffFormats.join(', ')}`, ['console'])
  .option('--times', 'also report operations that are much slower or faster')
  .option('--out <folder>', 'folder for all formats except console (default: print to standard output)')
  .action(
    action(async (before: string, after: string, flags) => {
      const { diffCommand } = await import('./commands/diff-command.js')
      return diffCommand(before, after, { ...flags, color })
    }),
  )

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
  .option('--mutant <name>', 'seeded fault: break one rule; `list mutants` prints the names')
  .option('--variant <name...>', 'permitted variants: use freedoms of the text; `list variants` prints the names')
  .option('--verbose', 'print each request, its status and the reason of a rejected token to standard error')
  .option('--control', 'serve the control plane under /control: reset, clock, faults, journal and more')
  .action(action(async (flags) => (await import('./commands/simulate-command.js')).simulateCommand(flags)))

const list = program
  .command('list')
  .enablePositionalOptions()
  .description('list the rows of the suite')
  .option(
    '--only <pattern>',
    'only rows whose id, operation or rule matches, or else whose title matches; * matches any text',
  )
  .option('--json', 'print a JSON array')
  .option('--csv', 'print CSV')
  .option('--suite <folder>', 'suite folder (default: the suite of this program)')
  .action(action(async (flags) => (await import('./commands/list/list-command.js')).listCommand(flags)))
list
  .command('rules')
  .description('list the rules of the interface and the cases that judge them')
  .option(
    '--only <pattern>',
    'only rules whose id, section or operation matches, or else whose statement matches; * matches any text',
  )
  .option('--json', 'print a JSON array')
  .option('--csv', 'print CSV')
  .option('--markdown', 'print the rules as the page docs/coverage.md')
  .option('--current <file>', 'check that this file is the current page')
  .option('--text <file>', 'interface text, whose sentences are quoted beside the rules')
  .option('--suite <folder>', 'suite folder (default: the suite of this program)')
  .action(action(async (flags) => (await import('./commands/list/list-rules-command.js')).listRulesCommand(flags)))

list
  .command('support')
  .description('list the supporting operations in the order that makes most rows runnable')
  .option('--operations <names...>', 'the operations that the participant has and the rows test (default: all)')
  .option('--given', 'the settings state parties, contracts and the synchronizer')
  .option('--json', 'print a JSON array')
  .option('--csv', 'print CSV')
  .option('--markdown', 'print a table of docs/implementing.md')
  .option('--suite <folder>', 'suite folder (default: the suite of this program)')
  .action(action(async (flags) => (await import('./commands/list/list-support-command.js')).listSupportCommand(flags)))
list
  .command('mutants')
  .description('list the seeded faults of the simulator; each breaks one rule')
  .option('--only <pattern>', 'only seeded faults whose name, rule or operation matches; * matches any text')
  .action(action(async (flags) => (await import('./commands/list/list-mutants-command.js')).listMutantsCommand(flags)))
list
  .command('variants')
  .description('list the permitted variants of the simulator')
  .option('--only <pattern>', 'only permitted variants whose name matches; * matches any text')
  .action(action(async (flags) => (await import('./commands/list/list-mutants-command.js')).listVariantsCommand(flags)))

program
  .command('show')
  .description('show the requests and expectations of a row, with their rules and sources')
  .argument('<row>', 'id of a row, or a pattern of id, operation or rule; * matches any text')
  .option('--profile <name or file>', 'profile that judges the row', defaultProfile)
  .option(
    '--protocol-version <n>',
    'protocol version of the synchronizer (default: the highest of the profile)',
    positiveNumber,
  )
  .option('--json', 'print the resolved row: one line of JSON for each row')
  .option('--text <file>', 'interface text, whose sentences are quoted beside the rules')
  .option('--suite <folder>', 'suite folder (default: the suite of this program)')
  .action(action(async (row: string, flags) => (await import('./commands/show-command.js')).showCommand(row, flags)))

program
  .command('prove')
  .description('mutation-test the suite with seeded faults, and find assertions that cannot fail')
  .option('--only <pattern>', 'only seeded faults whose name, rule or operation matches; * matches any text')
  .option('--all', 'run every row against each seeded fault, not only the rows that can meet it; takes an hour')
  .option('--sample <n>', 'a random sample of this size, the same each time', positiveNumber)
  .option('--drop <case>', 'only report the seeded faults that no other case detects')
  .option(
    '--clean <n>',
    'count false alarms in this number of shuffled runs against conforming simulators',
    positiveNumber,
  )
  .option('--after <n>', 'with --clean: skip the first runs', wholeNumber)
  .option('--vacuity', 'with --only or --sample: also check that every expectation can fail')
  .option('--json <file>', 'write the mutation report as JSON')
  .option('--markdown <file>', 'write the mutation report as Markdown')
  .option('--suite <folder>', 'suite folder (default: the suite of this program)')
  .action(action(async (flags) => (await import('./commands/prove-command.js')).proveCommand(flags)))

program
  .command('lint')
  .description('check the suite files and print errors with file, line and column')
  .option('--suite <folder>', 'suite folder (default: the suite of this program)')
  .action(action(async (flags) => (await import('./commands/lint-command.js')).lintCommand({ ...flags, color })))

program
  .command('completion')
  .description('print a completion script, such as: source <(conform completion bash)')
  .addArgument(new Argument('<shell>', 'shell that reads the script').choices(completionShells))
  .action(
    action(async (shell: CompletionShell) =>
      (await import('./commands/completion-command.js')).completionCommand(shell, program),
    ),
  )

async function endAfterCrash(error: unknown): Promise<void> {
  const { explain } = await import('./console/failure.js')
  printMistake(explain(error, color).text)
  process.exit(exitCode.fault)
}

export async function main(): Promise<void> {
  watchOutput()
  printCrashes((error) => void endAfterCrash(error))
  renameVariables(process.env)
  try {
    await program.parseAsync(withNewNames(process.argv.slice(2)), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? exitCode.conforming : exitCode.usage
  }
}
