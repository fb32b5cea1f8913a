/** Snapshots of provisioned simulators: each is made once, and any number of simulators start from it. */
import { permissionNames } from '../record/types/effects.js'
import type { ModelPackage } from '../runner/provision/model-packages.js'
import { type Environment, provisionEnvironment } from '../runner/run/environment.js'
import type { Suite } from '../runner/suite/suite.js'
import { plainConnection } from '../runner/target/connection/connection-settings.js'
import { secretKey } from '../runner/target/credentials/minting-key.js'
import { defaultAdministrator, readUrl, type Target } from '../runner/target/target.js'
import { defaultAccess } from '../runner/target/target-file.js'
import {
  allVariants,
  type Circumstances,
  type Simulator,
  type SimulatorOptions,
  startSavedSimulator,
  startSimulator,
} from '../simulator/simulator.js'

interface Content {
  suite: Suite
  /** Packages of the conformance model. */
  model: readonly ModelPackage[]
}

/** A provisioned simulator as a saved state. */
export interface Snapshot {
  environment: Environment
  /** Starts a simulator from the state, with these changes. */
  start(changes: Pick<SimulatorOptions, 'mutant' | 'variants' | 'without'>): Promise<Simulator>
}

/** Only this process uses the simulators. */
const secret = 'a secret that only two sides of one process know'

/** Facts that a target file would declare. */
const declared = new Map([['tapsLimit', 4]])

/** Milliseconds for one exchange. */
const timeLimit = 30_000
/** Milliseconds after which an effect is late. */
const lateDelay = 3000

export class Snapshots {
  readonly #content: Content
  readonly #made = new Map<string, Promise<Snapshot>>()

  constructor(content: Content) {
    this.#content = content
  }

  /**
   * Default profile: that of the simulator's behaviour. The variants apply while the snapshot is made, not to simulators started
   * from it. Rejects as a run does.
   */
  of(
    circumstances: Circumstances = {},
    profile: string = circumstances.behaviour ?? 'canton-3.5',
    variants: readonly string[] = [],
  ): Promise<Snapshot> {
    const name = JSON.stringify([profile, Object.entries(circumstances).toSorted(), variants])
    const made = this.#made.get(name) ?? make({ ...circumstances, variants }, profile, this.#content)
    this.#made.set(name, made)
    return made
  }
}

async function make(
  circumstances: Circumstances & { variants: readonly string[] },
  profileName: string,
  { suite, model }: Content,
): Promise<Snapshot> {
  const { authorization, ...rest } = circumstances
  const options: SimulatorOptions = { ...rest, ...(authorization && { authorization: `hs256:${secret}` }) }
  const profile = suite.profiles.get(profileName)
  if (!profile) throw new Error(`the suite has no profile ${profileName}`)
  const chosen = (await allVariants()).filter(({ name }) => circumstances.variants.includes(name))
  const claims = chosen.some(({ hasOwnTapsLimit }) => hasOwnTapsLimit) ? new Map<string, number>() : declared
  const first = await startSavedSimulator(options)
  try {
    const environment = await provisionEnvironment({
      ...{ suite, profile, model, timeLimit, lateDelay },
      target: targetAt(first.url, authorization),
      access: { ...defaultAccess, claims },
      embedded: true,
      recordFile: '',
      tool: { name: 'proof', version: '0' },
      allow: new Set(permissionNames),
      concurrency: 8,
      seed: 'proof',
    })
    const state = await first.state()
    return { environment, start: (changes) => startSimulator({ ...options, ...changes, state }) }
  } finally {
    await first.close()
  }
}

function targetAt(url: string, authorization: true | undefined): Target {
  return {
    url: readUrl(url),
    callers: new Map(),
    administrator: defaultAdministrator,
    connection: plainConnection,
    authorization: authorization ? { kind: 'minted', key: secretKey(secret) } : { kind: 'none' },
  }
}
