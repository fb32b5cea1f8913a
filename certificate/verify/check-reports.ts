import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { InputError } from '../../lib/files/file-errors.js'
import { readInput } from '../../lib/files/read-input.js'
import { parsed } from '../../lib/json/parsed.js'
import type { RunRecord } from '../../record/types/record.js'
import { findingCodes } from '../../runner/doctor/finding.js'
import type { BundleFile } from '../bundle.js'

export async function checkReports(folder: string, files: readonly BundleFile[]): Promise<string[]> {
  const found: string[] = []
  for (const [name, text] of files) {
    const [bytes, wanted] = [await bytesIn(folder, name), Buffer.from(text)]
    if (bytes === undefined) found.push(`the report ${name} is missing`)
    if (bytes === undefined || bytes.equals(wanted)) continue
    // Another zlib version may compress to other bytes.
    if (name.endsWith('.html') && isPackedOtherwise(bytes, wanted)) continue
    found.push(`${name} differs from the report derived from the record`)
  }
  return found
}

async function bytesIn(folder: string, name: string): Promise<Buffer | undefined> {
  try {
    return await readInput(join(folder, name), 'a report')
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}

/** Data outside its packed form would be markup: an answer of the target may contain `</script>`. */
function isPackedOtherwise(seen: Buffer, wanted: Buffer): boolean {
  const [one, other] = [blocksIn(seen), blocksIn(wanted)]
  return (
    one.page === other.page &&
    one.blocks.length === other.blocks.length &&
    one.blocks.every((block, index) => hasSameContent(block, other.blocks[index] ?? ''))
  )
}

/** The page without its packed data. Each byte is one character, so that other bytes are another page. */
function blocksIn(page: Buffer): { page: string; blocks: string[] } {
  const blocks: string[] = []
  const packed = /(<script type="text\/plain"[^>]*>)([A-Za-z0-9+/=]+)(?=<\/script>)/g
  const rest = page.toString('latin1').replace(packed, (_, tag: string, data: string) => {
    blocks.push(data)
    return tag
  })
  return { page: rest, blocks }
}

function hasSameContent(seen: string, wanted: string): boolean {
  if (seen === wanted) return true
  const bytes = Buffer.from(seen, 'base64')
  // Text behind the padding would be read by nothing.
  if (bytes.toString('base64') !== seen) return false
  const content = inflateRawSync(Buffer.from(wanted, 'base64'))
  try {
    const options = { info: true, maxOutputLength: Math.max(content.length, 1) }
    // The types of Node omit this form of the result.
    const { buffer, engine }: { buffer?: unknown; engine?: unknown } = Object(inflateRawSync(bytes, options))
    // Of the input, without bytes behind the end of the data.
    const { bytesWritten }: { bytesWritten?: unknown } = Object(engine)
    return bytesWritten === bytes.length && Buffer.isBuffer(buffer) && buffer.equals(content)
  } catch {
    return false
  }
}

export async function checkTargets(folder: string, name: string, parts: readonly RunRecord[]): Promise<string[]> {
  const bytes = await bytesIn(folder, name)
  if (bytes === undefined) return [`${name} is missing`]
  const text = bytes.toString('utf8')
  // Decoded, all invalid bytes are one character.
  if (!Buffer.from(text).equals(bytes)) return [notOfDoctor(name)]
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

/** An object without further members. */
const hasOnly = (value: unknown, names: readonly string[]): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).every((name) => names.includes(name))

/** A map, because the names come from a bundle. */
const codes: ReadonlyMap<unknown, readonly unknown[]> = new Map(Object.entries(findingCodes))

const isDoctorFinding = (value: unknown): boolean =>
  hasOnly(value, ['about', 'code', 'level', 'what', 'because', 'advice', 'facts']) &&
  codes.get(value['about'])?.includes(value['code']) === true

const notOfDoctor = (name: string): string => `${name} is not the JSON output of conform doctor`

function checkTarget(text: string, name: string, { header }: RunRecord): string[] {
  const seen = parsed(text)
  if (!isOfDoctor(seen, text)) return [notOfDoctor(name)]
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
