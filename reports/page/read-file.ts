import { parseRecord } from '../../record/parse-record.js'
import { isFooter, isHeader, isPlan, isRow } from '../../record/record-checks.js'
import { splitLines } from '../../record/text-lines.js'
import { type LoadedRun, runOfRecord } from './loaded-run.js'

/** The run record in a file that somebody chose; it is read here and goes nowhere. Rejects with RecordError. */
export async function readChosenFile(file: File): Promise<LoadedRun> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const lines = splitLines(bytes, sha256)
  const tools = { isHeader, isPlan, isRow, isFooter, sha256: (text: string) => sha256(new TextEncoder().encode(text)) }
  return runOfRecord(await parseRecord(file.name, lines, tools))
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes.slice())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
