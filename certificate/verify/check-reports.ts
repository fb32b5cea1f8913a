import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { InputError } from '../../lib/files/file-errors.js'
import { readInputText } from '../../lib/files/read-input.js'
import { parsed } from '../../lib/json/parsed.js'
import type { RunRecord } from '../../record/types/record.js'
import { findingCodes } from '../../runner/doctor/finding.js'
import type { BundleFile } from '../bundle.js'
import { hasOnly } from '../statement.js'

export async function checkReports(folder: string, files: readonly BundleFile[]): Promise<string[]> {
  const found: string[] = []
  for (const [name, wanted] of files) {
    const text = await textIn(folder, name)
    if (text === undefined) found.push(`the report ${name} is missing`)
    if (text === undefined || text === wanted) continue
    // Another zlib version may compress to other bytes.
    if (name.endsWith('.html') && unpacked(text) === unpacked(wanted)) continue
    found.push(`${name} differs from the report derived from the record`)
  }
  return found
}

async function textIn(folder: string, name: string): Promise<string | undefined> {
  try {
    return await readInputText(join(folder, name), 'a report')
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}

const unpacked = (page: string): string =>
  page.replace(
    /(<script type="text\/plain"[^>]*>)([A-Za-z0-9+/=]+)(?=<\/script>)/g,
    (whole, tag: string, data: string) => {
      try {
        return tag + inflateRawSync(Buffer.from(data, 'base64')).toString('utf8')
      } catch {
        return whole
      }
    },
  )

export async function checkTargets(folder: string, name: string, parts: readonly RunRecord[]): Promise<string[]> {
  const text = await textIn(folder, name)
  if (text === undefined) return [`${name} is missing`]
  const seen = text.replace(/\n$/, '').split(/(?<=^\})\n(?=\{$)/m)
  // Runs that `--also` added have no doctor output.
  const own = parts.filter(({ header }, index) => index === 0 || header.selection?.rules !== undefined)
  if (seen.length !== own.length) return [`${name} and the records differ in the number of configurations`]
  return own.flatMap((part, index) => checkTarget(seen[index] ?? '', name, part))
}

/** Findings are statements of the signer (docs/trust.md), in the form of `doctor`: no other member, code or spelling. */
function isOfDoctor(seen: unknown, text: string): seen is { findings: unknown[]; rows: unknown; target: unknown } {
  return (
    hasOnly(seen, ['format', 'target', 'verdict', 'findings', 'rows']) &&
    seen['format'] === 1 &&
    seen['verdict'] === 'ready' &&
    Array.isArray(seen['findings']) &&
    seen['findings'].every(isDoctorFinding) &&
    hasOnly(seen['rows'], ['run', 'left', 'groups']) &&
    JSON.stringify(seen, undefined, 2) === text
  )
}

/** A map, because the names come from a bundle. */
const codes: ReadonlyMap<unknown, readonly unknown[]> = new Map(Object.entries(findingCodes))

const isDoctorFinding = (value: unknown): boolean =>
  hasOnly(value, ['about', 'code', 'level', 'what', 'because', 'advice', 'facts']) &&
  codes.get(value['about'])?.includes(value['code']) === true

function checkTarget(text: string, name: string, { header }: RunRecord): string[] {
  const seen = parsed(text)
  if (!isOfDoctor(seen, text)) return [`${name} is not the JSON output of conform doctor`]
  const facts: Record<string, unknown> = {}
  for (const one of seen.findings) Object.assign(facts, Object(one)['facts'])
  const rows = Object(seen.rows) as Record<string, unknown>
  const known = (variable: string): unknown => parsed(header.variables?.[variable] ?? 'null')
  const compared: [what: string, seen: unknown, recorded: unknown][] = [
    ['the URL', seen.target, header.target.url],
    ['the version', facts['version'], header.target.version],
    ['the participant id', facts['participantId'] ?? known('participantId'), known('participantId')],
    ['the number of rows', Number(rows['run']) + Number(rows['left']), header.plan.length],
  ]
  return compared.filter(([, one, other]) => one !== other).map(([what]) => `${name} and the record differ in ${what}`)
}
