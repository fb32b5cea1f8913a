/** What a run would come to: how many rows run, how many do not and why, and what would open those. */
import { signingKey } from '../plan/availability.js'
import type { PlannedRow } from '../plan/select.js'
import type { Capabilities } from '../target/capabilities.js'

export interface RowForecast {
  run: number
  left: number
  /** By what would open them; most rows first. */
  groups: SkippedRows[]
}

export interface SkippedRows {
  rows: number
  /** A credential, an option or another target; undefined where nothing is known that would. */
  opens?: string
  /** Most rows first. `blocked`: that they do not run stands against the run. */
  reasons: { rows: number; reason: string; blocked?: true }[]
}

export function forecastRows(decided: readonly PlannedRow[], capabilities: Capabilities): RowForecast {
  const closed = decided.filter(({ reason }) => reason !== undefined)
  const groups = groupBy(closed, (one) => opener(one, capabilities)).map(
    ([opens, rows]): SkippedRows => ({
      rows: rows.length,
      ...(opens !== undefined && { opens }),
      reasons: groupBy(rows, ({ reason = '' }) => reason).map(([reason, all]) => ({
        ...{ rows: all.length, reason },
        ...(all.some(({ isBlocked }) => isBlocked) && { blocked: true }),
      })),
    }),
  )
  return { run: decided.length - closed.length, left: closed.length, groups }
}

/** The largest first. */
function groupBy<Key>(rows: readonly PlannedRow[], keyOf: (row: PlannedRow) => Key): [Key, PlannedRow[]][] {
  const groups = new Map<Key, PlannedRow[]>()
  for (const row of rows) {
    const key = keyOf(row)
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups].toSorted(([, a], [, b]) => b.length - a.length)
}

function opener({ row, wants = [], permits = [] }: PlannedRow, capabilities: Capabilities): string | undefined {
  if (permits.length > 0) return `--allow with ${permits.join(' and ')}`
  if (wants.length > 0) return wants.map(credentialFor).join(' and ')
  const missing = row.needs.find((need) => !isThere(capabilities[need]))
  if (missing !== undefined) return typeof capabilities[missing] === 'object' ? 'conform clean' : openers[missing]
  return row.impact === 'hazard' ? '--only and the full name of the row' : undefined
}

/** What a permission would bring is told by the permission. */
const isThere = (capability: Capabilities[string] | undefined): boolean =>
  capability === true || (typeof capability === 'object' && 'permission' in capability)

const credentialFor = (name: string): string =>
  name === signingKey ? '--authorization with the key that signs tokens' : `--token ${name}=...`

/** By capabilities of the target. */
const openers: Readonly<Record<string, string>> = {
  authorization: 'a target that asks for tokens',
  'open-access': 'a target that asks for none',
  'one-synchronizer': 'a target on one synchronizer',
  'several-synchronizers': 'a target on several synchronizers',
  'external-parties': 'presigned transactions in a target file',
  'contract-keys': 'a synchronizer of protocol version 35',
  'hashing-v3': 'a synchronizer of protocol version 35',
  'prepared-synchronizer': '--synchronizer',
}
