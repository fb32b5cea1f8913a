import { randomBytes } from 'node:crypto'
import { UsageError } from '../../lib/usage-error.js'
import type { ConfiguredOptions } from '../../runner/preflight/run-options.js'
import { secretKey } from '../../runner/target/credentials/minting-key.js'
import type { Settings } from '../../runner/target/read-settings.js'
import type { RunSettings } from '../../runner/target/run-settings.js'
import { ownOptions, runOptionsOf } from './run-options-of.js'
import type { EmbeddedOptions } from './serve-simulator.js'

export interface Configuration {
  settings: Settings
  options: ConfiguredOptions
  simulator?: EmbeddedOptions
}

/** Rejects with `UsageError`, and like `runOptionsOf`. */
export async function configurationsOf(settings: Settings): Promise<[Configuration, ...Configuration[]]> {
  const options = await runOptionsOf(settings)
  const others = settings.configurations ?? []
  if (others.length > 0 && settings.run.shard !== undefined)
    throw new UsageError('configurations: --shard supports one configuration; run each configuration separately')
  return [
    { settings, options },
    ...others.map((other) => ({ settings: other, options: { ...options, ...ownOptions(other, options.suite) } })),
    ...(others.length === 0 && isUnrestricted(settings) ? [embeddedWithTokens(settings, options)] : []),
  ]
}

/** A selection or an authorization means one configuration. */
const isUnrestricted = ({ url, authorization, access, run }: Settings): boolean =>
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

/** With tokens, a second synchronizer, and a third one, which vets no packages. */
function embeddedWithTokens(settings: Settings, options: ConfiguredOptions): Configuration {
  const key = secretKey(randomBytes(32).toString('hex'))
  const second = { ...settings, authorization: { kind: 'minted' as const, key } }
  return {
    settings: second,
    options: { ...options, ...ownOptions(second, options.suite) },
    simulator: { synchronizers: 3 },
  }
}
