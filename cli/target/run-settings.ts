/** The options of `conform run`: by these names on the command line, in files, and as `CONFORM_NAME` in the environment. */
import { type Command, Option } from 'commander'
import { defaultProfile } from '../../reports/wording/shell.js'

export interface RunSetting {
  /** Its key in a target file, unless `member` names another place. */
  name: string
  description: string
  /** Its value on the command line; a switch has none. */
  argument?: string
  kind: 'text' | 'count' | 'switch' | 'list' | 'pairs'
  /** Least value of a count; 1 by default. */
  least?: number
  /** For pairs `name=value`: the map of the file, and the member of its entries that they fill. */
  member?: { map: string; of?: string }
}

const text = (name: string, argument: string, description: string): RunSetting => ({
  name,
  argument,
  description,
  kind: 'text',
})
const count = (name: string, argument: string, description: string): RunSetting => ({
  name,
  argument,
  description,
  kind: 'count',
})
const list = (name: string, argument: string, description: string): RunSetting => ({
  name,
  argument,
  description,
  kind: 'list',
})
const on = (name: string, description: string): RunSetting => ({ name, description, kind: 'switch' })

export const runSettings: readonly RunSetting[] = [
  text('target', '<url>', 'base URL of the participant (default: start the embedded simulator)'),
  text(
    'authorization',
    '<how>',
    'how clients authenticate: none, given, hs256:SECRET, hs256-env:NAME, hs256-file:FILE, rs256:FILE, es256:FILE or es512:FILE',
  ),
  {
    name: 'token',
    argument: '<[actor=]token...>',
    description: 'token of an actor, or of all actors: env:NAME, file:FILE, command:LINE, or the token itself',
    kind: 'pairs',
    member: { map: 'callers', of: 'token' },
  },
  {
    name: 'user',
    argument: '<actor=id...>',
    description: 'existing user for an actor',
    kind: 'pairs',
    member: { map: 'callers', of: 'user' },
  },
  {
    name: 'party',
    argument: '<fixture=id...>',
    description: 'existing party for a fixture',
    kind: 'pairs',
    member: { map: 'parties' },
  },
  text('administrator', '<user>', 'user id of the administrator (default: participant_admin)'),
  text('profile', '<name>', `profile that judges the answers (default: ${defaultProfile})`),
  text(
    'out',
    '<folder>',
    'results folder; each run has its own folder in it, and latest is the newest (default: results)',
  ),
  count('protocol-version', '<n>', 'protocol version of the synchronizer (default: read from the target)'),
  text('synchronizer', '<id>', 'synchronizer of the transactions, if the target prepares none'),
  {
    name: 'unreachable',
    argument: '<operations...>',
    description: 'support operations that the run must not use, or all',
    kind: 'list',
  },
  list('operations', '<names...>', 'limit the run and its conclusion to these operations'),
  list('only', '<patterns...>', 'only rows whose id, operation or rule matches one of them; * matches any text'),
  list('not', '<patterns...>', 'skip rows whose id, operation or rule matches'),
  list('impact', '<what...>', 'only rows with this effect on a conforming target: read, write, topology, hazard'),
  text('failed-of', '<run>', 'only rows that failed in this run'),
  text('shard', '<i/n>', 'only the i-th of n parts; rows that must run alone are in the last part'),
  list(
    'alone-after',
    '<folders...>',
    'delay rows that must run alone until the runs with the same seed in these folders end',
  ),
  text('seed', '<text>', 'repeat the order of an earlier run'),
  on('shuffle', 'use a new random order, even if a seed is set elsewhere'),
  count('repeat', '<n>', 'run each row this number of times, and report rows with different verdicts'),
  count('fail-fast', '<n>', 'end the run after this number of failed rows'),
  count(
    'concurrency',
    '<n>',
    'concurrent rows, or request sequences of explore (default: 8; 16 on the embedded simulator and for explore)',
  ),
  count('request-timeout', '<seconds>', 'time limit of one exchange (default: 30)'),
  count('max-time', '<minutes>', 'end the run after this time and keep its results (default: 15)'),
  text('wait', '<duration>', 'wait for a target that is not ready or has no synchronizer: 60s, or 5m'),
  {
    name: 'allow',
    argument: '<what...>',
    description:
      'permitted changes: read, write, topology, upload, hazard (default: read, write; on a loopback address also topology)',
    kind: 'list',
  },
  {
    name: 'late-look',
    argument: '<seconds>',
    description: 'delay of the late-effects check after a row (default: 3; embedded simulator: 0)',
    kind: 'count',
    least: 0,
  },
  {
    name: 'header',
    argument: '<name=value...>',
    description: 'headers for every request',
    kind: 'pairs',
    member: { map: 'headers' },
  },
  text('ca', '<file>', 'trusted certificates (PEM), instead of the default ones'),
  text('client-certificate', '<file>', 'client certificate (PEM)'),
  text('client-key', '<file>', 'private key (PEM) of the client certificate'),
  text('client-key-passphrase', '<text>', 'passphrase of the client key; safer in the environment variable'),
  on('insecure', 'do not verify certificates; every report states this'),
  text('proxy', '<url>', 'proxy for every request, instead of HTTPS_PROXY and HTTP_PROXY'),
  {
    name: 'redact',
    argument: '<patterns...>',
    description: 'regular expressions; matching text is not recorded',
    kind: 'list',
  },
  text('baseline', '<run>', 'earlier run: only regressions against it fail this run'),
  count('min-judged', '<n>', 'minimum number of judged rows'),
  text('waivers', '<file>', 'known failures to excuse (YAML)'),
  on('waivers-lenient', 'only warn about expired, unmatched or unneeded waivers'),
  text('suite', '<folder>', 'suite folder (default: the suite of this program)'),
]

/** Settings that a file cannot contain: the file itself, and the run that a command is about. */
export const configSetting = text(
  'config',
  '<file>',
  'target file with any of these options and facts about the target',
)
export const resumeSetting = text('resume', '<run>', 'continue an interrupted run: its record or folder')
export const dryRunSetting = on('dry-run', 'only print what the run would create and leave; read-only')
export const jsonSetting = on('json', 'with --dry-run: print JSON')
export const suggestSetting = on('suggest-waivers', 'print waiver entries (YAML) for the failed rows')
export const outsideSettings: readonly RunSetting[] = [
  ...[configSetting, resumeSetting, dryRunSetting, jsonSetting, suggestSetting],
]

/** Without defaults: a missing setting differs from one with the default value. */
export const addRunSettings = (command: Command): Command => add(command, [...runSettings, ...outsideSettings])

/** Those of `conform certify`, which runs the whole suite, and excuses nothing. */
export const addCertifySettings = (command: Command): Command =>
  add(command, [...runSettings.filter(({ name }) => !ofOrdinaryRuns.has(name)), configSetting])

const ofOrdinaryRuns: ReadonlySet<string> = new Set([
  ...['only', 'not', 'impact', 'failed-of', 'shard', 'alone-after', 'repeat', 'fail-fast'],
  ...['waivers', 'waivers-lenient', 'baseline', 'min-judged', 'insecure'],
])

/** Those of `conform doctor`, which goes on with no run. */
export const addDoctorSettings = (command: Command): Command => add(command, [...runSettings, configSetting])

/** Those of `conform explore`, which sends no rows. */
export const addExploreSettings = (command: Command): Command =>
  add(command, [...runSettings.filter(({ name }) => !ofRowsAlone.has(name)), configSetting])

const ofRowsAlone: ReadonlySet<string> = new Set([
  ...['party', 'synchronizer', 'max-time', 'late-look', 'operations', 'only', 'wait'],
])

/** Those of `conform clean`, which runs no rows. */
export const addCleanSettings = (command: Command): Command =>
  add(command, [...runSettings.filter(({ name }) => !ofRows.has(name)), configSetting])

const ofRows: ReadonlySet<string> = new Set([
  ...[
    'party',
    'profile',
    'protocol-version',
    'synchronizer',
    'operations',
    'only',
    'not',
    'impact',
    'failed-of',
    'shard',
    'alone-after',
    'seed',
    'shuffle',
    'repeat',
    'fail-fast',
    'concurrency',
    'max-time',
    'late-look',
    'allow',
    'baseline',
    'min-judged',
    'waivers',
    'waivers-lenient',
  ],
])

function add(command: Command, settings: readonly RunSetting[]): Command {
  for (const { name, argument, description } of settings) {
    command.addOption(new Option(`--${name}${argument === undefined ? '' : ` ${argument}`}`, description))
  }
  return command
}

/** The environment variable of an option. */
export const variableOf = (name: string): string => `CONFORM_${name.toUpperCase().replaceAll('-', '_')}`
