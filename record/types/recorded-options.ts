/** The options of a run in its record, its selection and its waivers. */
import type { Permission } from './effects.js'
import type { Impact } from './resolved-row.js'

export interface RecordedSelection {
  operations?: string[]
  only?: string[]
  not?: string[]
  impact?: Impact[]
  /** The run whose failures are repeated, and their ids. */
  failedOf?: string
  failedRows?: string[]
  /** `index`: from 1. */
  shard?: { index: number; of: number }
  /** Rules and rows that earlier configurations left open. */
  rules?: string[]
}

/** `row`, `rule` and `divergence` are patterns. */
export interface RecordedWaiver {
  row?: string
  rule?: string
  divergence?: string
  /** Absent for all profiles. */
  profile?: string
  reason: string
  link?: string
  owner: string
  /** Last valid day, such as 2027-01-31. */
  until: string
}

export interface AppliedWaiver extends RecordedWaiver {
  expired?: true
}

export interface RecordedOptions {
  suite?: string
  protocolVersion?: number
  allow?: Permission[]
  /** Number of patterns, which could contain secrets. */
  redactions?: number
  /** The users of the run stay active, and granted rights remain. */
  keepUsers?: true
  /** Path of the file with the options of the call. Absent for a call without options, and for the library. */
  settingsFile?: string
}
