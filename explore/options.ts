import type { Finding, HistoryFinding, MetDivergence } from '../record/types/exploration.js'
import type { RecordedOutage } from '../record/types/record.js'
import type { ModelPackage } from '../runner/provision/model-packages.js'
import type { Profile, Suite } from '../runner/suite/suite.js'
import type { Permissions } from '../runner/target/permissions.js'
import type { Target } from '../runner/target/target.js'
import type { EarlyEnd } from '../runner/transport/early-end.js'
import type { ReferenceSwitches } from './judge/adapt.js'
import type { SideName } from './send/side.js'

export interface ExplorationOptions {
  target: Target
  /** Called once, after discovery of the target. */
  openReference(facts: ReferenceFacts): Promise<OpenReference>
  suite: Suite
  profile: Profile
  protocolVersion?: number
  packages: readonly ModelPackage[]
  allowed: Permissions
  only?: string
  seed?: string
  /** The first limit ends the exploration. Milliseconds. */
  budget?: number
  sequences?: number
  /** Including retries and concurrency trials. */
  requests?: number
  /** Default: 50. */
  maxFindings?: number
  /** Default: 16. */
  concurrency?: number
  /** A participant without a folder is not restored. */
  journalFolders?: { target?: string; reference?: string }
  /** Milliseconds. */
  timeLimit: number
  redact: readonly RegExp[]
  report(event: ExploreEvent): void
  /** Shared with outages: a target that does not answer again ends the exploration. */
  end?: EarlyEnd
  /** Milliseconds from the first unanswered request until the exploration ends. Default: 40 s. */
  patience?: number
}

export type FoundEvent =
  | { kind: 'finding'; finding: Finding }
  | { kind: 'divergence'; divergence: MetDivergence }
  | { kind: 'history'; history: HistoryFinding }

export type ExploreEvent =
  | FoundEvent
  | { kind: 'sequence'; done: number; exchanges: number }
  | { kind: 'notice'; sentence: string }
  /** Reported at the start and the end of an outage. */
  | { kind: 'outage'; side: SideName; outage: RecordedOutage }

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
