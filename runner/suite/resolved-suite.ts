import type { JsonValue } from '../../lib/json/json.js'
import { cachedBy } from '../../lib/made-once.js'
import type { RecordedProfile, RecordedRule, RecordedText } from '../../record/types/record.js'
import type { Data, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import type { FixtureKind, ResolvedActor } from './suite.js'

export interface ResolvedSuite {
  version: string
  digest: string
  text?: RecordedText
  rules: RecordedRule[]
  profile: RecordedProfile
  /** In file order; may exceed the filter. */
  rows: ResolvedRow[]
  rowCount: number
  fixtures: ResolvedFixture[]
  actors: ResolvedActor[]
}

export interface UnlinkedFixture extends FixtureKind {
  /** From the settings, by member; the fixture then has no steps. `omitted`: members without a value. */
  given?: { values: Readonly<Record<string, JsonValue>>; omitted: readonly string[] }
  values: Record<string, Data>
  steps: ResolvedStep[]
}

export interface ResolvedFixture extends UnlinkedFixture {
  /** Directly and indirectly used. */
  fixtures: string[]
}

/**
 * The fixture that the value `party` names.
 * @example actingParty({ values: { party: '${alice}' } }) // 'alice'
 */
export function actingParty({ values }: { values: Record<string, Data> }): string | undefined {
  const party = values['party']
  return typeof party === 'string' ? /^\$\{([\w-]+)\}$/.exec(party)?.[1] : undefined
}

/** In the order of their first use. Steps and profiles share parts: the requests of probes occur in hundreds of rows. */
export const variablesIn = cachedBy((part: object): ReadonlySet<string> => {
  const text = JSON.stringify(part)
  return new Set(text.includes('${') ? [...text.matchAll(/\$\{([\w.-]+)\}/g)].map(([, name = '']) => name) : [])
})
