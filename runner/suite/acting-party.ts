import type { Data } from '../../record/types/resolved-row.js'

/** The fixture that the value `party` of a row or of a fixture stands for; undefined where it is no fixture. */
export function actingParty({ values }: { values: Record<string, Data> }): string | undefined {
  const party = values['party']
  return typeof party === 'string' ? /^\$\{([\w-]+)\}$/.exec(party)?.[1] : undefined
}
