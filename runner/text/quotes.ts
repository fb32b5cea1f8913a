import { sha256 } from '../../interface/crypto-hash.js'
import { readInput } from '../../lib/files/read-input.js'
import { UsageError } from '../../lib/usage-error.js'
import type { RecordedRule, RecordedText, RunHeader } from '../../record/types/record.js'
import { type Passages, passagesOf } from './passages.js'

/** `text`: of the suite or the record. Rejects with `UsageError` and `InputError`. */
export async function readPassages(file: string, text: RecordedText | undefined): Promise<Passages> {
  if (!text) throw new UsageError('text: neither the suite nor the record names an interface text to compare with')
  const bytes = await readInput(file, 'an interface text')
  const digest = sha256(bytes).toString('hex')
  if (digest !== text.digest)
    throw new UsageError(
      `text: ${file} has the digest ${digest}, but the outline belongs to ${text.title} (${text.version}) with the digest ${text.digest}; pass that file`,
    )
  return passagesOf(bytes.toString('utf8'))
}

/** Adds its sentence to each passage: `Limits 3.1 (size value): "..."`. */
export const quotedRules = (rules: readonly RecordedRule[], passages: Passages): RecordedRule[] =>
  rules.map((rule) => ({
    ...rule,
    ...(rule.passages && { passages: rule.passages.map((one) => quoted(one, passages)) }),
  }))

/** As `quotedRules`, for the rules and the text of a run. */
export function quotedHeader(header: RunHeader, passages: Passages): RunHeader {
  const { text } = header
  const unruled = text?.unruled?.map((one) => ({ ...one, passage: quoted(one.passage, passages) }))
  return {
    ...header,
    rules: quotedRules(header.rules, passages),
    ...(text && unruled && { text: { ...text, unruled } }),
  }
}

function quoted(place: string, passages: Passages): string {
  const [, section = '', name = ''] = /^(.*?)(?: \d+\.\d+)? \((.*)\)$/s.exec(place) ?? []
  const sentence = passages.get(`${section} > ${name}`)
  return sentence === undefined ? place : `${place}: "${sentence}"`
}
