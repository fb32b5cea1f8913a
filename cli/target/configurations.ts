/** The configurations of a participant that a command runs one after the other. */
import { randomBytes } from 'node:crypto'
import { secretKey } from '../../runner/target/credentials/minting-key.js'
import type { RunSettings, Settings } from '../../runner/target/read-settings.js'
import { UsageError } from '../console/usage-error.js'
import { type ConfiguredOptions, ownOptions, runOptionsOf } from './run-options-of.js'
import type { EmbeddedOptions } from './serve-simulator.js'

/** How a participant is set up, and how it is called. */
export interface Configuration {
  settings: Settings
  options: ConfiguredOptions
  /** Of the embedded simulator. */
  simulator?: EmbeddedOptions
}

/** What every run of all configurations has. Throws `UsageError`, and as `runOptionsOf`. */
export async function configurationsOf(settings: Settings): Promise<[Configuration, ...Configuration[]]> {
  const options = await runOptionsOf(settings)
  const others = settings.configurations ?? []
  if (others.length > 0 && settings.run.shard !== undefined)
    throw new UsageError('configurations: --shard splits the run of one configuration; run each configuration apart')
  return [
    { settings, options },
    ...others.map((other) => ({ settings: other, options: { ...options, ...ownOptions(other, options.suite) } })),
    ...(others.length === 0 && isWhole(settings) ? [embeddedWithTokens(settings, options)] : []),
  ]
}

/** The embedded simulator as it is started unless settings say more: a selection of rows or a form of it means that form alone. */
const isWhole = ({ url, authorization, access, run }: Settings): boolean =>
  url === undefined &&
  authorization.kind === 'none' &&
  access.unreachable.size === 0 &&
  restricting.every((name) => run[name] === undefined)

const restricting = [
  'only',
  'not',
  'impact',
  'failedOf',
  'shard',
  'protocolVersion',
  'repeat',
] as const satisfies (keyof RunSettings)[]

/** What the first one lacks: tokens, a second synchronizer, and one on which nothing is vetted. */
function embeddedWithTokens(settings: Settings, options: ConfiguredOptions): Configuration {
  const key = secretKey(randomBytes(32).toString('hex'))
  const second = { ...settings, authorization: { kind: 'minted' as const, key } }
  return {
    settings: second,
    options: { ...options, ...ownOptions(second, options.suite) },
    simulator: { synchronizers: 2 },
  }
}
