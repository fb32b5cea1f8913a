/** The settings of a run: options on the command line, members of a target file, and `CONFORM_NAME` in the environment. */
import { type Command, Option } from 'commander'
import { defaultProfile } from '../../reports/wording/shell.js'

export interface RunSetting {
  /** Also the member of a target file, unless `member` names another. */
  name: string
  description: string
  /** The value on the command line; a switch has none. */
  argument?: string
  kind: 'text' | 'count' | 'switch' | 'list' | 'pairs'
  /** Minimum of a count; 1 by default. */
  least?: number
  /** For `name=value` pairs: the map in the target file, and the member of its entries that receives the value. */
  member?: { map: string; of?: string }
}

const withValue =
  (kind: RunSetting['kind']) =>
  (
    name: string,
    argument: string,
    description: string,
    more: Pick<RunSetting, 'least' | 'member'> = {},
  ): RunSetting => ({
    ...{ name, argument, description, kind },
    ...more,
  })
const [text, count, list, pairs] = [withValue('text'), withValue('count'), withValue('list'), withValue('pairs')]
const on = (name: string, description: string): RunSetting => ({ name, description, kind: 'switch' })

export const runSettings: readonly RunSetting[] = [
  text('target', '<url>', 'base URL of the participant (default: start the embedded simulator)'),
  text(
    'authorization',
    '<how>',
    'how clients authenticate: none, given, hs256:SECRET, hs256-env:NAME, hs256-file:FILE, rs256:FILE, es256:FILE or es512:FILE',
  ),
  pairs(
    'token',
    '<[actor=]token...>',
    'token of an actor, or of all actors: env:NAME, file:FILE, command:LINE, or the token itself',
    { member: { map: 'callers', of: 'token' } },
  ),
  pairs('user', '<actor=id...>', 'existing user for an actor', { member: { map: 'callers', of: 'user' } }),
  pairs('party', '<fixture=id...>', 'existing party for a fixture', { member: { map: 'parties' } }),
  text('administrator', '<user>', 'user id of the administrator (default: participant_admin)'),
  text('profile', '<name>', `profile that judges the answers (default: ${defaultProfile})`),
  text(
    'out',
    '<folder>',
    'results folder; each run has its own folder in it, and latest is the newest (default: results)',
  ),
  count('protocol-version', '<n>', 'protocol version of the synchronizer (default: read from the target)'),
  text('synchronizer', '<id>', 'synchronizer of the transactions, if the target prepares none'),
  list('unreachable', '<operations...>', 'support operations that the run must not use, or all'),
  list('operations', '<names...>', 'limit the run and its conclusion to these operations'),
  list('only', '<patterns...>', 'only rows whose id, operation or rule matches a pattern; * matches any text'),
  list('not', '<patterns...>', 'skip rows whose id, operation or rule matches a pattern'),
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
  list(
    'allow',
    '<what...>',
    'permitted changes: read, write, topology, upload, hazard (default: read, write; on a loopback address also topology)',
  ),
  count('late-look', '<seconds>', 'delay of the late-effects check after a row (default: 3; embedded simulator: 0)', {
    least: 0,
  }),
  pairs('header', '<name=value...>', 'headers for every request', { member: { map: 'headers' } }),
  text('ca', '<file>', 'trusted certificates (PEM), instead of the default ones'),
  text('client-certificate', '<file>', 'client certificate (PEM)'),
  text('client-key', '<file>', 'private key (PEM) of the client certificate'),
  text('client-key-passphrase', '<text>', 'passphrase of the client key; safer in the environment variable'),
  on('insecure', 'do not verify certificates; every report states this'),
  text('proxy', '<url>', 'proxy for every request, instead of HTTPS_PROXY and HTTP_PROXY'),
  list('redact', '<patterns...>', 'regular expressions; matching text is not recorded'),
  text('baseline', '<run>', 'earlier run: only regressions against it fail this run'),
  count('min-judged', '<n>', 'minimum number of judged rows'),
  text('waivers', '<file>', 'known failures to excuse (YAML)'),
  on('waivers-lenient', 'only warn about expired, unmatched or unneeded waivers'),
  text('suite', '<folder>', 'suite folder (default: the suite of this program)'),
]

export const configSetting = text(
  'config',
  '<file>',
  'target file with any of these options and facts about the target',
)
export const resumeSetting = text('resume', '<run>', 'continue an interrupted run: its record or folder')
export const dryRunSetting = on('dry-run', 'only print what the run would create and leave; read-only')
export const jsonSetting = on('json', 'with --dry-run: print JSON')
export const suggestSetting = on('suggest-waivers', 'print waiver entries (YAML) for the failed rows')
/** Settings that a target file cannot contain. */
export const outsideSettings: readonly RunSetting[] = [
  ...[configSetting, resumeSetting, dryRunSetting, jsonSetting, suggestSetting],
]

/** The settings that a command lacks; `run` and `doctor` have all. */
const missingSettings: Readonly<Record<string, string>> = {
  certify:
    'only not impact failed-of shard alone-after repeat fail-fast waivers waivers-lenient baseline min-judged insecure',
  explore: 'party synchronizer max-time late-look operations only wait',
  clean:
    'party profile protocol-version synchronizer operations only not impact failed-of shard alone-after seed shuffle ' +
    'repeat fail-fast concurrency max-time late-look allow baseline min-judged waivers waivers-lenient',
}

const targets: Readonly<Record<string, string>> = {
  doctor: 'base URL of the participant',
  clean: 'base URL of the participant (default: the target of the named run)',
}

/** Adds the settings of the command, by its name. They have no default values: a missing setting differs from a default value. */
export function addSettings(command: Command): Command {
  const target = targets[command.name()]
  const missing = missingSettings[command.name()]?.split(' ') ?? []
  const outside = command.name() === 'run' ? outsideSettings : [configSetting]
  for (const { name, argument, description } of [...runSettings, ...outside]) {
    if (missing.includes(name)) continue
    const flags = `--${name}${argument === undefined ? '' : ` ${argument}`}`
    command.addOption(new Option(flags, (name === 'target' && target) || description))
  }
  return command
}

/** The environment variable of an option. */
export const variableOf = (name: string): string => `CONFORM_${name.toUpperCase().replaceAll('-', '_')}`
