/** A run that was ended early, in one configuration of the participant or in several: what stays, and what is still to be run. */
import type { RunHeader } from '../record/record.js'
import { earlierRun, ResumeError } from '../runner/resume.js'
import type { AlsoRun } from './also-runs.js'
import type { Configuration } from './configurations.js'
import { isWhole } from './read-run.js'

export interface ResumedRun {
  /** Configurations that completed, in their order. */
  kept: AlsoRun[]
  /** The configuration that was ended, with what it judged, and those after it. */
  left: [Configuration, ...Configuration[]]
}

/**
 * `parts`: the records of the run, in their order. A configuration that examined nothing has left none. Throws `ResumeError` where
 * nothing is left to be run, or where no configuration fits a record.
 */
export function resumedRun(parts: readonly AlsoRun[], configurations: readonly Configuration[]): ResumedRun {
  const ended = parts.findIndex(({ record }) => !isWhole(record))
  const kept = ended === -1 ? [...parts] : parts.slice(0, ended)
  let next = 0
  for (const { record } of kept) next = indexOf(record.header, configurations, next) + 1
  const resumed = parts[kept.length]
  if (!resumed) {
    const [first, ...others] = configurations.slice(next)
    if (first) return { kept, left: [first, ...others] }
    throw new ResumeError('that run came to its end: nothing is left to be done')
  }
  const { header } = resumed.record
  const [first, ...others] = configurations.slice(indexOf(header, configurations, next))
  if (!first) throw unknown(header)
  const { seed, concurrency } = header
  const options = { ...first.options, seed, concurrency, resume: earlierRun(resumed.record) }
  return { kept, left: [{ ...first, options }, ...others] }
}

/** The first of the configurations from `from` on in which the run was. Throws `ResumeError`. */
function indexOf(header: RunHeader, configurations: readonly Configuration[], from: number): number {
  const found = configurations.findIndex((one, index) => index >= from && isOf(one, header))
  if (found === -1) throw unknown(header)
  return found
}

const unknown = ({ run, target }: RunHeader): ResumeError =>
  new ResumeError(`the settings have no configuration for the run ${run} on ${target.url}; add it, or run it anew`)

const isOf = ({ settings: { url, authorization, run } }: Configuration, { target, options }: RunHeader): boolean =>
  url === target.url &&
  target.authorization === (authorization.kind === 'minted' ? authorization.key.kind : authorization.kind) &&
  run.protocolVersion === options?.protocolVersion
