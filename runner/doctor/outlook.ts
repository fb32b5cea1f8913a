/** What a run would come to: how many rows run, how many do not and why, and what would open those. */
import { signingKey } from '../plan/means.js'
import type { PlannedRow } from '../plan/select.js'
import type { Capabilities } from '../target/capabilities.js'

export interface Outlook {
  run: number
  left: number
  /** Most rows first. */
  groups: ClosedRows[]
}

export interface ClosedRows {
  rows: number
  reason: string
  /** A credential, an option or another target; undefined where the reason says all there is. */
  opens?: string
  /** That they do not run stands against the run. */
  blocked?: true
}

export function outlookOf(decided: readonly PlannedRow[], capabilities: Capabilities): Outlook {
  const groups = new Map<string, ClosedRows>()
  const closed = decided.filter(({ reason }) => reason !== undefined)
  for (const planned of closed) {
    const { reason = '', isBlocked } = planned
    const opens = opener(planned, capabilities)
    const key = `${reason}\n${opens}`
    const { rows } = groups.get(key) ?? { rows: 0 }
    groups.set(key, {
      rows: rows + 1,
      reason,
      ...(opens !== undefined && { opens }),
      ...(isBlocked && { blocked: true }),
    })
  }
  return {
    run: decided.length - closed.length,
    left: closed.length,
    groups: [...groups.values()].toSorted((a, b) => b.rows - a.rows),
  }
}

function opener({ row, wants = [] }: PlannedRow, capabilities: Capabilities): string | undefined {
  if (wants.length > 0) return wants.map(credentialFor).join(' and ')
  const missing = row.needs.find((need) => capabilities[need] !== true)
  if (missing !== undefined) return typeof capabilities[missing] === 'object' ? 'conform clean' : openers[missing]
  return row.impact === 'hazard' ? '--only and the full name of the row' : undefined
}

const credentialFor = (name: string): string =>
  name === signingKey ? '--authorization with the key that signs tokens' : `--token ${name}=...`

/** By capabilities of the target. */
const openers: Readonly<Record<string, string>> = {
  authorization: 'a target that asks for tokens',
  'open-access': 'a target that asks for none',
  'one-synchronizer': 'a target on one synchronizer',
  'several-synchronizers': 'a target on several synchronizers',
  'external-parties': 'presigned transactions in a target file',
  'conformance-model': '--allow-upload',
  'contract-keys': 'a synchronizer of protocol version 35',
  'hashing-v3': 'a synchronizer of protocol version 35',
  'prepared-synchronizer': '--synchronizer',
}
