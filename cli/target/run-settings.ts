/** The options of `conform run`: by these names on the command line, in files, and as `CONFORM_NAME` in the environment. */
import { type Command, Option } from 'commander'
import { usualProfile } from '../../reports/wording/shell.js'

export interface RunSetting {
  /** As in a target file, unless `member` says another place there. */
  name: string
  description: string
  /** What stands behind it on the command line; a switch has nothing. */
  argument?: string
  kind: 'text' | 'count' | 'switch' | 'list' | 'pairs'
  /** Of a count; one unless said. */
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
  text('target', '<url>', 'base URL of the participant; without it the embedded simulator is started'),
  text(
    'authorization',
    '<how>',
    'how callers identify themselves: none, given, hs256:SECRET, hs256-env:NAME, hs256-file:FILE, rs256:FILE, es256:FILE or es512:FILE',
  ),
  {
    name: 'token',
    argument: '<[actor=]token...>',
    description: "an actor's token, or anyone's: env:NAME, file:FILE, command:LINE, or the token itself",
    kind: 'pairs',
    member: { map: 'callers', of: 'token' },
  },
  {
    name: 'user',
    argument: '<actor=id...>',
    description: 'a user who is there already',
    kind: 'pairs',
    member: { map: 'callers', of: 'user' },
  },
  {
    name: 'party',
    argument: '<fixture=id...>',
    description: 'a party that is there already',
    kind: 'pairs',
    member: { map: 'parties' },
  },
  text('administrator', '<user>', 'user id of the administrator, participant_admin unless said'),
  text('profile', '<name>', `what to judge by (default: ${usualProfile})`),
  text(
    'out',
    '<folder>',
    'folder for results; each run has one of its own in it, and latest leads to the newest (default: results)',
  ),
  count('protocol-version', '<n>', 'of the synchronizer; asked from the target unless given'),
  text('synchronizer', '<id>', 'as prepared transactions name it, where nothing is prepared'),
  {
    name: 'unreachable',
    argument: '<operations...>',
    description: 'support operations to do without, or all',
    kind: 'list',
  },
  list('operations', '<names...>', 'only these operations: the run comes to a conclusion about them alone'),
  list('only', '<patterns...>', 'only rows whose id, operation or rule matches one of them; * stands for any text'),
  list('not', '<patterns...>', 'leave out rows whose id, operation or rule matches'),
  list('impact', '<what...>', 'only rows that do this to a target that conforms: read, write, topology, hazard'),
  text('failed-of', '<run>', 'only rows that failed in that run'),
  text('shard', '<i/n>', 'only the i-th of n parts; rows that must run alone are all in the last one'),
  list('alone-after', '<folders...>', 'rows that must run alone wait for the runs of the same seed in these folders'),
  text('seed', '<text>', 'repeats the order of an earlier run'),
  on('shuffle', 'take another order, whatever seed is said elsewhere'),
  count('repeat', '<n>', 'send each row so often, and tell those that do not always come to the same'),
  count('fail-fast', '<n>', 'end the run once so many rows have failed'),
  count(
    'concurrency',
    '<n>',
    'rows, or conversations of explore, at once (default: 8; 16 on the embedded simulator, and of conversations)',
  ),
  count('request-timeout', '<seconds>', 'time limit of one exchange (default: 30)'),
  count('max-time', '<minutes>', 'ends the run after that time, and keeps what it has (default: 15)'),
  text('wait', '<duration>', 'waits so long for a target that is not ready or has no synchronizer: 60s, or 5m'),
  {
    name: 'allow',
    argument: '<what...>',
    description:
      'all that the run may do: read, write, topology, upload, hazard (default: read, write; on a loopback address topology as well)',
    kind: 'list',
  },
  {
    name: 'late-look',
    argument: '<seconds>',
    description: 'after a row the ledger is looked at once more for late effects (default: 3; embedded simulator: 0)',
    kind: 'count',
    least: 0,
  },
  {
    name: 'header',
    argument: '<name=value...>',
    description: 'headers that are sent with every request',
    kind: 'pairs',
    member: { map: 'headers' },
  },
  text('ca', '<file>', 'certificates (PEM) to trust in place of the usual ones'),
  text('client-certificate', '<file>', 'certificate (PEM) that the run shows'),
  text('client-key', '<file>', 'private key (PEM) of that certificate'),
  text('client-key-passphrase', '<text>', 'passphrase of that key; better in the environment'),
  on('insecure', 'look at no certificate; every report says so'),
  text('proxy', '<url>', 'proxy for every request, in place of HTTPS_PROXY and HTTP_PROXY'),
  {
    name: 'redact',
    argument: '<patterns...>',
    description: 'regular expressions: what matches is recorded nowhere',
    kind: 'list',
  },
  text('baseline', '<run>', 'an earlier run: only what is worse now keeps this one from ending well'),
  count('min-judged', '<n>', 'rows that have to be judged at least'),
  text('waivers', '<file>', 'failures that are known and put up with (YAML)'),
  on('waivers-lenient', 'only tell of waivers that have expired, are about nothing or are not needed any more'),
  text('suite', '<folder>', 'another suite than the one that comes with the tool'),
]

/** What can only be said outside of a file: which file, and which run it is about. */
export const configSetting = text(
  'config',
  '<file>',
  'target file: any of these options, and what else there is to know',
)
export const resumeSetting = text(
  'resume',
  '<run>',
  'go on with a run that was ended early: its record, or the folder it is in',
)
export const dryRunSetting = on('dry-run', 'only tell what the run would make and leave; nothing is changed')
export const jsonSetting = on('json', 'with --dry-run: as JSON')
export const suggestSetting = on('suggest-waivers', 'print entries for a file of waivers that would excuse what failed')
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

/** The variable of the environment by which an option can be said. */
export const variableOf = (name: string): string => `CONFORM_${name.toUpperCase().replaceAll('-', '_')}`
