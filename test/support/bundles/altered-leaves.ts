/** `verify` names each altered leaf of a record that is signed again, or docs/trust.md lists it as a free statement. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BundleFinding } from '../../../certificate/finding.js'
import type { VerifyOptions } from '../../../certificate/verify/verify-bundle.js'
import { streamLines } from '../../../record/file/stream-lines.js'
import { findingsOf } from './certified-bundle.js'

interface Leaf {
  line: number
  path: (string | number)[]
}

export interface AlteredLeaves {
  named: number
  /** Listed as free. */
  free: string[]
  /** Neither. */
  missed: string[]
}

const isNamed = ({ kind }: BundleFinding): boolean => kind === 'altered' || kind === 'unproven'

/** `draw` returns an integer below a limit. */
export async function alterLeaves(
  bundle: string,
  recordFile: string,
  count: number,
  draw: (below: number) => number,
  options: VerifyOptions,
): Promise<AlteredLeaves> {
  const before = (await findingsOf(bundle, recordFile, options)).filter(isNamed)
  if (before.length > 0) throw new Error(`the unaltered record: ${before.map(({ what }) => what).join('; ')}`)
  const lines: string[] = []
  for await (const { text = '' } of streamLines(recordFile)) lines.push(text)
  const places = placesIn(lines)
  const isFree = await freeStatements()
  const found: AlteredLeaves = { named: 0, free: [], missed: [] }
  for (let index = 0; index < count; index += 1) {
    // Every line has the same chance, so that long answers do not hide the rest.
    const ofLine = places[draw(places.length)] ?? []
    const leaf = ofLine[draw(ofLine.length)]
    if (!leaf) continue
    const file = join(bundle, '..', 'leaf.ndjson')
    await writeFile(file, altered(lines, leaf))
    const findings = await findingsOf(bundle, file, options)
    const name = nameOf(lines[leaf.line] ?? '', leaf.path)
    if (findings.some(isNamed)) found.named += 1
    else if (isFree(name)) found.free.push(name)
    else found.missed.push(`${name} of line ${leaf.line}`)
  }
  return found
}

/** By line. The digest of the footer is computed again. */
const placesIn = (lines: readonly string[]): Leaf[][] =>
  lines.map((text, line) =>
    leavesOf(JSON.parse(text), []).flatMap((path) => (path.join() === 'digest' ? [] : [{ line, path }])),
  )

function leavesOf(value: unknown, path: Leaf['path']): Leaf['path'][] {
  if (typeof value !== 'object' || value === null) return [path]
  const items = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return items.flatMap(([name, item]: [string | number, unknown]) => leavesOf(item, [...path, name]))
}

function altered(lines: readonly string[], { line, path }: Leaf): string {
  const changed = lines.with(line, JSON.stringify(changedAt(JSON.parse(lines[line] ?? ''), path)))
  const before = changed.slice(0, -1).map((text) => `${text}\n`)
  const footer: object = JSON.parse(changed.at(-1) ?? '')
  const digest = createHash('sha256').update(before.join('')).digest('hex')
  return `${before.join('')}${JSON.stringify({ ...footer, digest })}\n`
}

function changedAt(value: unknown, [name, ...rest]: Leaf['path']): unknown {
  if (name === undefined) return changedLeaf(value)
  if (Array.isArray(value)) return value.with(Number(name), changedAt(value[Number(name)], rest))
  const members: Record<string, unknown> = Object(value)
  return { ...members, [name]: changedAt(members[name], rest) }
}

/** Plausible: a later time, another number or a longer text. */
function changedLeaf(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
  if (isTime) return new Date(Date.parse(value) + 1).toISOString()
  return `${value === null ? '' : String(value)}x`
}

/** Such as `rows[].evidence[].milliseconds`. */
function nameOf(line: string, path: Leaf['path']): string {
  const { type }: { type?: unknown } = JSON.parse(line)
  const part = type === 'row' ? 'rows[]' : type === 'exchange' ? 'exchanges[]' : String(type)
  return part + path.map((name) => (typeof name === 'number' ? '[]' : `.${name}`)).join('')
}

/** The code spans of the section in docs/trust.md. A listed member includes its own members. */
async function freeStatements(): Promise<(name: string) => boolean> {
  const page = await readFile('docs/trust.md', 'utf8')
  const [, section = ''] = /^## Free statements of the signer\n(.*?)(?=^## )/ms.exec(page) ?? []
  const listed = [...section.matchAll(/`([\w.[\]-]+)`/g)].map(([, name = '']) => name)
  return (name) => listed.some((one) => name === one || name.startsWith(`${one}.`) || name.startsWith(`${one}[`))
}
