import { readInputText } from '../../lib/files/read-input.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { wildcard } from '../../lib/wildcard.js'
import type { RecordedWaiver } from '../../record/types/recorded-options.js'
import { checkShape } from '../yaml/check-shape.js'
import { FindingList, FindingsError, unreadable } from '../yaml/findings.js'
import { locationOf, valueLocation } from '../yaml/locations.js'
import { parseYaml } from '../yaml/parse-yaml.js'
import { loadSchemas, shownPath } from '../yaml/suite-files.js'

export interface Waiver extends RecordedWaiver {
  /** A pattern for base URLs; undefined: all targets. */
  target?: string
}

type WrittenWaiver = Omit<Waiver, 'row'> & { row?: string | string[] }

/**
 * YAML or JSON. Rejects with `FindingsError`.
 * @example
 * const [waiver] = await readWaivers('waivers.yaml')
 * waiver?.until // '2027-01-31'
 */
export async function readWaivers(path: string): Promise<Waiver[]> {
  const shown = shownPath(path)
  const text = await textOf(path, shown)
  const findings = new FindingList(new Map([[shown, text]]))
  const parsed = parseYaml(shown, text, findings)
  if (parsed) checkShape(parsed, 'waivers', await loadSchemas(), findings)
  const shaped = findings.sorted()
  if (!parsed || shaped.length > 0) throw new FindingsError('waivers', shaped)
  const { waivers: written } = parsed.value as { waivers: WrittenWaiver[] } // by schema
  const waivers = written.flatMap((waiver) => readWaiver(waiver, findings))
  const found = findings.sorted()
  if (found.length > 0) throw new FindingsError('waivers', found)
  return waivers
}

export const waiversFor = (waivers: readonly Waiver[], url: string): RecordedWaiver[] =>
  waivers.flatMap(({ target, ...waiver }) => (target === undefined || matchesUrl(target, url) ? [waiver] : []))

const matchesUrl = (pattern: string, url: string): boolean => wildcard(withoutSlash(pattern))(withoutSlash(url))
const withoutSlash = (url: string): string => url.replace(/\/$/, '')

/** One waiver for each row of a list. */
function readWaiver(written: WrittenWaiver, findings: FindingList): Waiver[] {
  const { row, rule, divergence, reason, owner, until, target, profile, link } = written
  const about = omitUndefined({ rule, divergence })
  if (Object.keys(about).length + (row === undefined ? 0 : 1) !== 1) {
    findings.add(
      locationOf(written),
      'a waiver needs exactly one of row, rule and divergence',
      'keep or add one of them',
    )
  }
  // The schema accepts 2027-02-31.
  const day = new Date(`${until}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(until)) {
    findings.add(valueLocation(written, 'until'), `${until} is not a day of the calendar`)
  }
  // In one order, whatever that of the file: resumed runs compare waivers as texts.
  const common = { reason, owner, until, ...omitUndefined({ target, profile, link }) }
  return row === undefined ? [{ ...about, ...common }] : [row].flat().map((one) => ({ row: one, ...common }))
}

async function textOf(path: string, shown: string): Promise<string> {
  try {
    return await readInputText(path, 'a configuration file')
  } catch (error) {
    throw unreadable('waivers', shown, error)
  }
}
