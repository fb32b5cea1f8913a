import { inputReason } from '../../lib/files/input-error.js'
import { readInputText } from '../../lib/files/read-input.js'
import { matchesId } from '../../record/judgements/waivers.js'
import type { RecordedWaiver } from '../../record/types/record.js'
import { checkShape } from '../yaml/check-shape.js'
import { FindingList } from '../yaml/finding-list.js'
import { type Finding, formatFindings } from '../yaml/findings.js'
import { given, itemsOf, type Located, member, optionalText, textsAt } from '../yaml/located.js'
import { parseYaml } from '../yaml/parse-yaml.js'
import { loadSchemas } from '../yaml/schemas.js'
import { shownPath } from '../yaml/suite-files.js'

/** Waivers that cannot be used as they stand. The message lists all findings, without colours. */
export class WaiversError extends Error {
  override readonly name = 'WaiversError'
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    super(`the waivers cannot be used\n${formatFindings(findings, { color: false })}`)
    this.findings = findings
  }
}

/** A waiver as its file has it. */
export interface Waiver extends RecordedWaiver {
  /** A pattern for base URLs; any target unless said. */
  target?: string
}

/** Reads a file of waivers (YAML, or JSON). Throws `WaiversError` with everything that is wrong with it, each at its line. */
export async function readWaivers(path: string): Promise<Waiver[]> {
  const shown = shownPath(path)
  const text = await textOf(path, shown)
  const findings = new FindingList(new Map([[shown, text]]))
  const root = parseYaml(shown, text, findings)
  const file = { name: shown, kind: 'waivers' as const, text }
  if (root) checkShape({ file, kind: 'waivers', root }, await loadSchemas(), findings)
  const shaped = findings.sorted()
  if (!root || shaped.length > 0) throw new WaiversError(shaped)
  const waivers = itemsOf(member(root, 'waivers')).map((node) => readWaiver(node, findings))
  const found = findings.sorted()
  if (found.length > 0) throw new WaiversError(found)
  return waivers
}

/** Those that are about the target, as a record has them. */
export const waiversFor = (waivers: readonly Waiver[], url: string): RecordedWaiver[] =>
  waivers.flatMap(({ target, ...waiver }) => (target === undefined || isAt(target, url) ? [waiver] : []))

const isAt = (pattern: string, url: string): boolean => matchesId(withoutSlash(pattern), withoutSlash(url))
const withoutSlash = (url: string): string => url.replace(/\/$/, '')

function readWaiver(node: Located, findings: FindingList): Waiver {
  const about = given({
    row: optionalText(node, 'row'),
    rule: optionalText(node, 'rule'),
    divergence: optionalText(node, 'divergence'),
  })
  if (Object.keys(about).length !== 1) {
    findings.add(node.location, 'a waiver is about one of row, rule and divergence', 'say one of them, and no other')
  }
  const texts = textsAt(node, 'reason', 'owner', 'until')
  // The 31st of February is said by nobody who means a day.
  const day = new Date(`${texts.until}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(texts.until)) {
    findings.add(member(node, 'until')?.location ?? node.location, `there is no day ${texts.until}`)
  }
  const more = given({
    target: optionalText(node, 'target'),
    profile: optionalText(node, 'profile'),
    link: optionalText(node, 'link'),
  })
  return { ...about, ...texts, ...more }
}

async function textOf(path: string, shown: string): Promise<string> {
  try {
    return await readInputText(path, 'a configuration file')
  } catch (error) {
    const message = `the waivers cannot be read: ${inputReason(error)}`
    throw new WaiversError([{ location: { file: shown, line: 1, column: 1 }, message, sourceLine: '' }])
  }
}
