import type { RecordedOptions, RecordedProof } from '../../record/types/record.js'
import type { Selection } from '../plan/select.js'
import type { ModelPackage } from '../provision/model-packages.js'
import type { Profile, Suite } from '../suite/suite.js'
import { defaultPermissions, type Permissions } from '../target/permissions.js'
import type { Target } from '../target/target.js'
import type { TargetAccess } from '../target/target-file.js'
import type { EarlyEnd } from '../transport/early-end.js'
import type { Waiver } from '../waivers/read-waivers.js'
import type { EarlierRun } from './resume.js'

export interface RunOptions extends Selection {
  suite: Suite
  profile: Profile
  target: Target
  /** The target is the simulator that came with this tool. */
  embedded: boolean
  /** File that the run record is written to; what the run is about to change is written beside it. */
  recordFile: string
  /** Folder with the folders of earlier runs, whose journals tell what they left behind. */
  results?: string
  /** A run that was ended early, to be gone on with. */
  resume?: EarlierRun
  /** Ends the run before its plan does. */
  end?: EarlyEnd
  tool: { name: string; version: string }
  /** What the suite is known to find, where it has a mutation report. */
  proof?: RecordedProof
  /** Decides the order of the rows; drawn when absent. */
  seed?: string
  /** The text of a verifier from which the seed was derived; the record states it. */
  challenge?: string
  /** The packages that some rows need. */
  model?: readonly ModelPackage[]
  /** Only to tell what a run would do: nothing is changed, not even what earlier runs left is put back. */
  isDry?: boolean
  /** What the run may do; without it, what is usual for such a target. */
  allow?: Permissions
  /** Protocol version of the synchronizer, by which the profile may differ; asked from the target when absent. */
  protocolVersion?: number
  /** What the target cannot do, and what was prepared and signed for it elsewhere; a file says it. */
  access?: TargetAccess
  /** Rows in flight at once. */
  concurrency: number
  /** Milliseconds for one exchange. */
  timeLimit: number
  /** Milliseconds that a target is waited for at the beginning, which is not there, or has no synchronizer; none unless given. */
  wait?: number
  /** Milliseconds that a target may stay away, from the first exchange on that it did not answer; 40 s. */
  patience?: number
  /** Milliseconds after a row at which the ledger is looked at once more for its effects; 3 s, and at once with the embedded simulator. */
  lateDelay?: number
  /** How often each row is sent; once unless said. */
  repeat?: number
  /** The run ends once so many rows have failed. */
  failFast?: number
  /** Awaited before rows are sent that no other may be beside. */
  beforeAlone?: (end: EarlyEnd) => Promise<void>
  /** Rows that have to be judged at least for the run to say anything. */
  minJudged?: number
  /** Failures that are known and put up with; lenient: what is to be put right about them is told, and no more. */
  waivers?: { all: readonly Waiver[]; lenient: boolean }
  /** What else the record shall tell of how the run was called. */
  called?: RecordedOptions
  /** What else must not be recorded, beside tokens and keys. */
  redact?: readonly RegExp[]
}

/** Milliseconds after which effects count as late, and are still found. */
const defaultLateDelay = 3000

/** What the embedded simulator does is done when it has answered. */
export const lateCheckDelay = ({ embedded, lateDelay }: Pick<RunOptions, 'embedded' | 'lateDelay'>): number =>
  lateDelay ?? (embedded ? 0 : defaultLateDelay)

/** Which rows are meant. */
export const selectionIn = ({ operations, only, not, impact, failedOf, shard, rules }: RunOptions): Selection => ({
  ...{ operations, only, not, impact, failedOf, shard, rules },
})

export const allowedIn = ({
  allow,
  target,
  embedded,
}: Pick<RunOptions, 'allow' | 'target' | 'embedded'>): Permissions => allow ?? defaultPermissions(target.url, embedded)
