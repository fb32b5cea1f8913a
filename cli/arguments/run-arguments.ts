/** Commands that send requests to a participant. */
import { type Command, Option } from 'commander'
import { defaultProfile } from '../../reports/wording/shell.js'
import { addSettings } from '../target/setting-options.js'
import type { Action } from './action.js'
import { positiveNumber } from './numbers.js'

const runExamples = `
Examples:
  conform run                                              the embedded simulator
  conform run --target http://127.0.0.1:7575 --only 'SAW-*'
  conform run --target URL --authorization hs256-env:KEY   tokens that the run signs
  conform run --target URL --token administrator=env:TOKEN
  conform run --config target.yaml --failed-of results     failures of the newest run
  conform run --target URL --only 'SAW-*' --watch          again after each change
  conform run --target URL --watch server.js               also of this file
  conform run --config target.yaml --baseline before       only regressions fail the run`

/** Completes the options of a call by those of a settings file. */
const withSettingsFile = (command: Command): Command =>
  addSettings(command)
    .addOption(
      new Option('--settings <file>', 'options of an earlier run, from the file that it wrote').helpGroup('Execution:'),
    )
    .hook('preAction', async (_, called) => {
      const { settings, ...given } = called.opts()
      if (typeof settings !== 'string') return
      const { savedFlags } = await import('../target/settings-file.js')
      const names = new Set(called.options.map((option) => option.attributeName()))
      for (const [name, value] of Object.entries(await savedFlags(settings, given, names, process.env)))
        called.setOptionValue(name, value)
    })

export function addRunCommands(program: Command, { color, action }: Action): void {
  withSettingsFile(
    program
      .command('run')
      .description('run the suite against a participant or the embedded simulator, and write the reports')
      .addHelpText('after', runExamples),
  ).action(
    action(async (flags) =>
      flags.watch !== undefined
        ? (await import('../commands/watch-command.js')).watchCommand(flags, color)
        : (await import('../commands/run-command.js')).runCommand(flags, color),
    ),
  )

  withSettingsFile(
    program
      .command('doctor')
      .description('check connection, credentials and permissions, and forecast which rows will run; read-only'),
  )
    .option('--json', 'print one JSON document')
    .action(action(async (flags) => (await import('../commands/doctor-command.js')).doctorCommand(flags, color)))

  withSettingsFile(
    program
      .command('clean')
      .description('restore what interrupted runs left changed on a participant')
      .argument('[run]', 'id, record or folder of one run (default: all runs in the results folder)'),
  ).action(
    action(async (run: string | undefined, flags) =>
      (await import('../commands/clean-command.js')).cleanCommand(run, flags),
    ),
  )

  withSettingsFile(
    program
      .command('token')
      .description('print a token for an actor of the suite, as a run sends it')
      .argument('<actor>', 'actor of the suite, such as alice; its user is that of the newest run, or of --user'),
  )
    .option('--form <name>', 'token form of the suite, such as expired or foreign-audience (default: a valid token)')
    .action(
      action(async (actor: string, flags) => (await import('../commands/token-command.js')).tokenCommand(actor, flags)),
    )

  addSettings(
    program
      .command('explore')
      .description(
        'send random request sequences to a participant and to the reference simulator; shrink any difference',
      ),
  )
    .option('--against <url>', 'URL of a second participant, instead of the embedded simulator')
    .option('--budget <time>', 'duration: 90s, 5m, 1h (default: 1m)')
    .option('--sequences <n>', 'number of request sequences', positiveNumber)
    .option('--replay <file>', 'send the request sequence of a saved finding again')
    .option('--findings <n>', 'stop after this number of findings (default: 50)', positiveNumber)
    .option('--only <operation>', 'limit the request sequences to one operation')
    .action(action(async (flags) => (await import('../commands/explore-command.js')).exploreCommand(flags)))

  addSettings(
    program
      .command('learn')
      .description('write the observed behaviour of a participant as a profile that extends another one'),
  )
    .option('--record <runs...>', 'recorded runs, instead of two runs on --target')
    .option('--from <profile>', 'the extended profile', defaultProfile)
    .option('--name <name>', 'name of the new profile')
    .option('--write <file>', 'file of the new profile (default: NAME.yaml)')
    .option('--by-row', 'where the rows of a situation disagree, learn the answer of each row')
    .option('--check', 'only report differences from the profile --from; exits with 1 if it finds any')
    .action(action(async (flags) => (await import('../commands/learn-command.js')).learnCommand(flags)))

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
  ).action(action(async (flags) => (await import('../commands/certify-command.js')).certifyCommand(flags, color)))
}
