/** The suite resolved for one profile and one protocol version. */
import type { OperationName } from '../../interface/operations.js'
import type { RecordedProfile, RecordedRule, RecordedText } from '../../record/types/record.js'
import type { Data, ResolvedRow, ResolvedStep, SourceLine } from '../../record/types/resolved-row.js'
import type { KeyKind } from '../sign/signing-key.js'
import type { Actor, ExternalKeys } from './suite.js'

export interface ResolvedSuite {
  version: string
  /** SHA-256 (hex) over all files. */
  digest: string
  text?: RecordedText
  rules: RecordedRule[]
  profile: RecordedProfile
  /** In file order; with a filter, a superset of the matching rows. */
  rows: ResolvedRow[]
  rowCount: number
  fixtures: ResolvedFixture[]
  actors: ResolvedActor[]
}

export type ResolvedActor = Pick<Actor, 'name' | 'rights' | 'apart'>

/** State that rows need: a party, a key, a recorded prepared transaction, or the result of steps. */
export interface ResolvedFixture {
  name: string
  party?: { hint: string; external?: ExternalKeys; everywhere?: true }
  key?: KeyKind
  prepared?: { transaction: string; hash: string }
  /** The fixture is the control of this operation: its last step must be accepted. */
  controls?: OperationName
  values: Record<string, Data>
  steps: ResolvedStep[]
  /** Fixtures that it uses, directly or indirectly. */
  fixtures: string[]
  source: SourceLine
}

/** The fixture in the value `party` of a row or a fixture; undefined if it is none. */
export function actingParty({ values }: { values: Record<string, Data> }): string | undefined {
  const party = values['party']
  return typeof party === 'string' ? /^\$\{([\w-]+)\}$/.exec(party)?.[1] : undefined
}
