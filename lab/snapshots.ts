/** Any number of simulators start from one provisioned state. */
import { permissionNames } from '../record/types/effects.js'
import { shuffle } from '../runner/plan/plan.js'
import type { ModelPackage } from '../runner/provision/model-packages.js'
import type { Suite } from '../runner/suite/suite.js'
import { plainConnection } from '../runner/target/connection/connection-settings.js'
import { secretKey } from '../runner/target/credentials/minting-key.js'
import { defaultAdministrator, readUrl, type Target } from '../runner/target/target.js'
import { defaultAccess } from '../runner/target/target-file.js'
import type { Overrides } from '../simulator/participant/participant.js'
import { saveState } from '../simulator/participant/state-document.js'
import {
  createParticipant,
  type Simulator,
  type SimulatorOptions,
  serve,
  startSimulator,
} from '../simulator/simulator.js'
import { type Environment, provisionEnvironment } from './environment.js'
import { combineOverrides } from './find-overrides.js'
import type { Circumstances } from './mutants/mutant.js'
import type { Variant } from './variants/variant.js'

interface Content {
  suite: Suite
  model: readonly ModelPackage[]
}

export interface Snapshot {
  environment: Environment
  start(overrides?: Overrides): Promise<Simulator>
}

/** Only this process uses the simulators. */
const secret = 'a secret that only two sides of one process know'

/** A target file would declare these facts. */
const declared = new Map([['tapsLimit', 4]])

/** Milliseconds for one exchange. */
const timeLimit = 30_000
/** Milliseconds after which an effect is late. */
const lateDelay = 3000

/** Another order of the rows, the same for the same seed. */
export function shuffled(environment: Environment, seed: string): Environment {
  const { provisioned } = environment
  const rows = shuffle(provisioned.plan.rows, seed)
  return { ...environment, provisioned: { ...provisioned, plan: { ...provisioned.plan, rows } } }
}

export class Snapshots {
  readonly #content: Content
  readonly #made = new Map<string, Promise<Snapshot>>()

  constructor(content: Content) {
    this.#content = content
  }

  /**
   * The default profile follows the behaviour. Variants apply only while the snapshot is made. Rejects as a run does.
   */
  of(
    circumstances: Circumstances = {},
    profile: string = circumstances.behaviour ?? 'canton-3.5',
    variants: readonly Variant[] = [],
  ): Promise<Snapshot> {
    const name = JSON.stringify([profile, Object.entries(circumstances).toSorted(), variants.map(({ name }) => name)])
    const made = this.#made.get(name) ?? make(circumstances, variants, profile, this.#content)
    this.#made.set(name, made)
    return made
  }
}

async function make(
  { authorization, ...circumstances }: Circumstances,
  variants: readonly Variant[],
  profileName: string,
  { suite, model }: Content,
): Promise<Snapshot> {
  const options: SimulatorOptions = { ...circumstances, ...(authorization && { authorization: `hs256:${secret}` }) }
  const profile = suite.profiles.get(profileName)
  if (!profile) throw new Error(`the suite has no profile ${profileName}`)
  const claims = variants.some(({ hasOwnTapsLimit }) => hasOwnTapsLimit) ? new Map<string, number>() : declared
  const participant = await createParticipant({ ...options, overrides: combineOverrides(variants) })
  const first = await serve(participant)
  try {
    const environment = await provisionEnvironment({
      suite,
      profile,
      model,
      timeLimit,
      lateDelay,
      target: targetAt(first.url, authorization),
      access: { ...defaultAccess, claims },
      embedded: true,
      recordFile: '',
      tool: { name: 'lab', version: '0' },
      allow: new Set(permissionNames),
      concurrency: 8,
      seed: 'lab',
    })
    const state = JSON.stringify(saveState(participant))
    return { environment, start: (overrides = {}) => startSimulator({ ...options, overrides, state }) }
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
