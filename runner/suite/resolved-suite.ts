/** The suite for one profile and one protocol version: what a run needs, and nothing of how it was written. */
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
  /** In the order of the files; with a filter, only those that it may mean. */
  rows: ResolvedRow[]
  /** Of all rows of the suite. */
  rowCount: number
  fixtures: ResolvedFixture[]
  actors: ResolvedActor[]
}

export type ResolvedActor = Pick<Actor, 'name' | 'rights' | 'apart'>

/** Something that rows need to be there: a party, a key, bytes of another time, or what some steps leave behind. */
export interface ResolvedFixture {
  name: string
  party?: { hint: string; external?: ExternalKeys; everywhere?: true }
  key?: KeyKind
  prepared?: { transaction: string; hash: string }
  /** The operation that has to accept its last step, for rows in which the same operation may refuse. */
  controls?: OperationName
  values: Record<string, Data>
  steps: ResolvedStep[]
  /** Fixtures that it is made from, directly or through others. */
  fixtures: string[]
  source: SourceLine
}

/** The fixture that the value `party` of a row or of a fixture stands for; undefined where it is no fixture. */
export function actingParty({ values }: { values: Record<string, Data> }): string | undefined {
  const party = values['party']
  return typeof party === 'string' ? /^\$\{([\w-]+)\}$/.exec(party)?.[1] : undefined
}
