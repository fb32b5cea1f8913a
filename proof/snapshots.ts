/** Participants that are made once for each circumstance, with everything that rows need, and copied for whatever is tried. */
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

/** What is needed to make environments. */
interface Making {
  suite: Suite
  /** The packages of the model, which rows need. */
  model: readonly ModelPackage[]
}

/** A provisioned participant, kept as a state from which copies start. */
export interface Original {
  environment: Environment
  /** Starts a copy that is otherwise in these ways. */
  copy(otherwise: Pick<SimulatorOptions, 'mutant' | 'variants' | 'without'>): Promise<Simulator>
}

/** Both sides are in this process, and nobody else can reach them. */
const secret = 'a secret that only two sides of one process know'

/** The facts that a target file can declare about the simulator. */
const declared = new Map([['tapsLimit', 4]])

/** Milliseconds for one exchange. */
const timeLimit = 30_000
/** Milliseconds after which effects count as late. */
const lateDelay = 3000

/** Makes each original once, however many ask for it. */
export class Originals {
  readonly #making: Making
  readonly #made = new Map<string, Promise<Original>>()

  constructor(making: Making) {
    this.#making = making
  }

  /**
   * Judged by the profile of that name: where none is said, that of the participant's behaviour. It is made with these variants;
   * its copies have those that they are given. Rejects as a run does.
   */
  in(
    circumstances: Circumstances = {},
    profile: string = circumstances.behaviour ?? 'canton-3.5',
    variants: readonly string[] = [],
  ): Promise<Original> {
    const name = JSON.stringify([profile, Object.entries(circumstances).toSorted(), variants])
    const made = this.#made.get(name) ?? make({ ...circumstances, variants }, profile, this.#making)
    this.#made.set(name, made)
    return made
  }
}

async function make(
  circumstances: Circumstances & { variants: readonly string[] },
  profileName: string,
  { suite, model }: Making,
): Promise<Original> {
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
    return { environment, copy: (otherwise) => startSimulator({ ...options, ...otherwise, state }) }
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
