/** Options of an exploration, and the errors that they cause. */
import type { ModelPackage } from '../runner/provision/model-packages.js'
import type { Profile, Suite } from '../runner/suite/suite.js'
import type { Permissions } from '../runner/target/permissions.js'
import type { Target } from '../runner/target/target.js'
import type { ExploreEvent } from './explore.js'
import type { ReferenceSwitches } from './judge/adapt.js'

export interface ExplorationOptions {
  target: Target
  /** Called once, after discovery of the target. */
  openReference(facts: ReferenceFacts): Promise<OpenReference>
  suite: Suite
  profile: Profile
  protocolVersion?: number
  packages: readonly ModelPackage[]
  allowed: Permissions
  /** The one operation under test. */
  only?: string
  /** Sequences cover all value combinations of any `strength` members of a request. Default: 2. */
  strength?: number
  seed?: string
  /** Milliseconds. */
  budget?: number
  sequences?: number
  /** Including retries and concurrency trials. */
  requests?: number
  maxFindings?: number
  /** Sequences that run at once. Default: 16. */
  concurrency?: number
  /** Folders of the journals. A participant without a folder has no journal and is not restored. */
  journalFolders?: { target?: string; reference?: string }
  /** Milliseconds for one request. */
  timeLimit: number
  /** Secrets beside tokens and keys. */
  redact: readonly RegExp[]
  report(event: ExploreEvent | { kind: 'notice'; sentence: string }): void
  shouldEnd?(): boolean
}

/** Facts of the target that a reference must share. */
export interface ReferenceFacts {
  protocolVersion: number | undefined
  synchronizers: number
}

export interface OpenReference {
  target: Target
  /** Only the embedded simulator has switches. */
  switches?: ReferenceSwitches
  close(): Promise<void>
}

/** The exploration lacks a permission that it requires. */
export class NotPermitted extends Error {
  override readonly name = 'NotPermitted'
}

/** `only` names no operation. */
export class UnknownOperation extends Error {
  override readonly name = 'UnknownOperation'
}
