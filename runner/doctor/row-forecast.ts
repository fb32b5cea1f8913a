import { groupBy } from '../../lib/group-by.js'
import type { Reason } from '../../record/types/reason.js'
import { signingKey } from '../plan/availability.js'
import type { PlannedRow } from '../plan/select.js'
import type { Capabilities } from '../target/target.js'

export interface RowForecast {
  run: number
  left: number
  /** Largest first. */
  groups: SkippedRows[]
}

export interface SkippedRows {
  rows: number
  /** Undefined: no known setting. */
  opens?: string
  /** `blocked`: the run is incomplete without the rows. */
  reasons: { rows: number; reason: Reason; blocked?: true }[]
}

export function forecastRows(decided: readonly PlannedRow[], capabilities: Capabilities): RowForecast {
  const skipped = decided.filter(({ reason }) => reason !== undefined)
  const groups = largestFirst(groupBy(skipped, (one) => enablerOf(one, capabilities))).map(
    ([opens, rows]): SkippedRows => ({
      rows: rows.length,
      ...(opens !== undefined && { opens }),
      reasons: largestFirst(groupBy(rows, ({ reason }) => JSON.stringify(reason))).map(([, all]) => reasonOf(all)),
    }),
  )
  return { run: decided.length - skipped.length, left: skipped.length, groups }
}

function reasonOf(rows: readonly PlannedRow[]): SkippedRows['reasons'][number] {
  const reason = rows[0]?.reason ?? { code: 'not-judged' }
  return { rows: rows.length, reason, ...(rows.some(({ isBlocked }) => isBlocked) && { blocked: true }) }
}

const largestFirst = <Key>(groups: Map<Key, PlannedRow[]>): [Key, PlannedRow[]][] =>
  [...groups].toSorted(([, a], [, b]) => b.length - a.length)

function enablerOf(planned: PlannedRow, capabilities: Capabilities): string | undefined {
  const { row, reason, wants = [], permits = [] } = planned
  if (reason?.code === 'operation-missing') return 'the operation, or the setting that replaces it (see operations)'
  const needed = [...(permits.length > 0 ? [`--allow with ${permits.join(' and ')}`] : []), ...wants.map(credentialFor)]
  if (needed.length > 0) return needed.join(' and ')
  const missing = row.needs.find((need) => !isAvailable(capabilities[need]))
  if (missing !== undefined)
    return enablers[missing] ?? (isUnready(capabilities[missing]) ? 'conform clean' : undefined)
  if (reason?.code === 'value-unknown' && reason.setting !== undefined) return 'the setting that the reason names'
  return row.impact === 'hazard' ? '--only and the full name of the row' : undefined
}

/** After an interrupted run. */
const isUnready = (capability: Capabilities[string] | undefined): boolean =>
  typeof capability === 'object' && 'code' in capability && capability.code === 'packages-unready'

const isAvailable = (capability: Capabilities[string] | undefined): boolean =>
  capability === true || (typeof capability === 'object' && 'permission' in capability)

const credentialFor = (name: string): string =>
  name === signingKey ? '--authorization with the key that signs tokens' : `--token ${name}=...`

const enablers: Readonly<Record<string, string>> = {
  authorization: 'a target with authorization',
  'open-access': 'a target without authorization',
  'one-synchronizer': 'a target with one synchronizer',
  'several-synchronizers': 'a target with several synchronizers',
  'external-parties': 'presigned transactions in a target file',
  'contract-keys': 'a synchronizer of protocol version 35',
  'hashing-v3': 'a synchronizer of protocol version 35',
  'prepared-synchronizer': '--synchronizer',
}
