/** Contracts of fixtures that one row consumed, although other rows use them. Pure. */
import { parsed } from '../../lib/json/parsed.js'
import type { Reason } from '../../record/types/reason.js'
import type { OracleFinding, RunRow } from '../../record/types/record.js'
import { archivedIn } from './active-contracts.js'
import type { ReconciledHeader, ReconciledRun } from './reconciled-run.js'

/** Other members of fixtures name contracts that the fixture itself archives. */
const contractVariable = /^([\w-]+)\.(?:contractId|kept)$/

/** A row of the suite owns what its permitted outcomes consume, so only a fault consumes a shared contract. */
export function consumedFixtures({ header, rows, view, marked }: ReconciledRun): OracleFinding[] {
  const fixtures = fixturesByContract(header)
  return [...view.updates.values()].flatMap(({ item, text }) => {
    const consumed = archivedIn(item).flatMap((id) => fixtures.get(id) ?? [])
    const consumer = consumed.length > 0 && marked.find(({ marker }) => text.includes(marker))?.row
    return consumer ? consumed.flatMap((fixture) => disturbance(fixture, consumer, rows)) : []
  })
}

function fixturesByContract({ variables = {} }: ReconciledHeader): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(variables)) {
    const [, fixture] = contractVariable.exec(name) ?? []
    const id = fixture === undefined ? undefined : parsed(value)
    if (fixture !== undefined && typeof id === 'string') found.set(id, fixture)
  }
  return found
}

function disturbance(fixture: string, consumer: RunRow, rows: readonly RunRow[]): OracleFinding[] {
  const begin = Date.parse(consumer.startedAt)
  const dependent = rows.filter(
    (row) => row !== consumer && row.resolved.fixtures.includes(fixture) && endOf(row) >= begin,
  )
  const reason: Reason = { code: 'fixture-consumed', fixture, row: consumer.id }
  return dependent.length === 0
    ? []
    : [{ kind: 'disturbed', oracle: 'updates', reason, rules: [], rows: dependent.map(({ id }) => id) }]
}

const endOf = ({ startedAt, milliseconds }: RunRow): number => Date.parse(startedAt) + milliseconds
