/** What whoever wants an exploration says of it, and how it gets its model. */
import type { ModelPackage } from '../runner/provision/model-packages.js'
import type { Profile, Suite } from '../runner/suite/suite.js'
import type { Permissions } from '../runner/target/permissions.js'
import type { Target } from '../runner/target/target.js'
import type { ExploreEvent } from './explore.js'
import type { ModelSwitches } from './judge/adapt.js'

export interface ExplorationOptions {
  target: Target
  /** Opens the model when it is known what the target is like. */
  model(facts: ModelFacts): Promise<OpenModel>
  suite: Suite
  profile: Profile
  protocolVersion?: number
  packages: readonly ModelPackage[]
  allowed: Permissions
  /** The one operation that conversations are about. */
  only?: string
  /** Of how many members of a request every combination of values is tried; 2 unless it is given. */
  strength?: number
  seed?: string
  budget?: number
  conversations?: number
  /** Requests of all kinds. */
  requests?: number
  most?: number
  /** Conversations that are had at once; 16 unless it is given. */
  concurrency?: number
  /** Where it is written down what is changed at a participant; no folder: nobody else will ever see it. */
  folders?: { target?: string; model?: string }
  timeLimit: number
  /** What must not be told, beside tokens and keys. */
  redact: readonly RegExp[]
  told(event: ExploreEvent | { kind: 'notice'; sentence: string }): void
  ended?(): boolean
}

/** What a model has to have in common with the target, whatever else they differ in. */
export interface ModelFacts {
  protocolVersion: number | undefined
  synchronizers: number
}

export interface OpenModel {
  target: Target
  /** Where the model is one that can do otherwise. */
  switches?: ModelSwitches
  close(): Promise<void>
}
