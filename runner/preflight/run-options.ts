import type { RecordedProof } from '../../record/types/record.js'
import type { RecordedOptions } from '../../record/types/recorded-options.js'
import type { ProfileSource } from '../doctor/profile-choice.js'
import { withGiven } from '../plan/given-fixtures.js'
import { mayBeSelected, type Selection } from '../plan/select.js'
import type { ModelPackage } from '../provision/model-packages.js'
import { resolveSuite } from '../resolve/resolve-suite.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import type { Profile, Suite } from '../suite/suite.js'
import { defaultPermissions, type Permissions } from '../target/permissions.js'
import type { Target } from '../target/target.js'
import type { TargetAccess } from '../target/target-file.js'
import type { EarlyEnd } from '../transport/early-end.js'
import type { Waiver } from '../waivers/read-waivers.js'
import type { EarlierRun } from './resume.js'

/** As the settings state them. */
export interface ConfiguredOptions extends Selection {
  suite: Suite
  profile: Profile
  /**
   * Who names the profile: the version of the target, which may replace `profile`, or a setting with its place. Default:
   * the caller.
   */
  profileBy?: ProfileSource
  /** Earlier runs and their journals. */
  results?: string
  resume?: EarlierRun
  end?: EarlyEnd
  tool: { name: string; version: string }
  proof?: RecordedProof
  /** Orders the rows; random if absent. */
  seed?: string
  /** The seed derives from the challenge. */
  challenge?: string
  model?: readonly ModelPackage[]
  /** Restores no leftover state, and sends no request that a faulty participant could accept as a change. */
  isDry?: boolean
  allow?: Permissions
  /** Read from the target if absent. */
  protocolVersion?: number
  access: TargetAccess
  concurrency: number
  /** Milliseconds for one exchange. */
  timeLimit: number
  /** Milliseconds to wait for a target that is not ready. */
  wait?: number
  /** Longest outage in milliseconds; default 40 s. */
  patience?: number
  /** Milliseconds before a late-effects check. */
  lateDelay?: number
  repeat?: number
  /** Neither deactivates users nor revokes rights. */
  keepUsers?: boolean
  failFast?: number
  beforeAlone?: (end: EarlyEnd) => Promise<void>
  /** The run is incomplete with fewer judged rows. */
  minJudged?: number
  /** `lenient`: defects of waivers are only reported. */
  waivers?: { all: readonly Waiver[]; lenient: boolean }
  called?: RecordedOptions
  /** Secrets besides tokens and keys. */
  redact?: readonly RegExp[]
}

export interface RunOptions extends ConfiguredOptions {
  target: Target
  embedded: boolean
  recordFile: string
}

/** Of the rows that may be selected. Repeated calls resolve nothing again. Throws `ResolveError`. */
export const suiteOf = (options: ConfiguredOptions, protocolVersion = options.protocolVersion): ResolvedSuite =>
  withGiven(resolveSuite(options.suite, options.profile, protocolVersion, mayBeSelected(options)), options.access.given)

/** Milliseconds. */
export const defaultLateDelay = 3000

/** The embedded simulator has no effects after its answer. */
export const lateCheckDelay = ({ embedded, lateDelay }: RunOptions): number =>
  lateDelay ?? (embedded ? 0 : defaultLateDelay)

export const allowedIn = ({ allow, target, embedded }: RunOptions): Permissions =>
  allow ?? defaultPermissions(target.url, embedded)
