import { isDistinctive, KnownSecrets } from './known-secrets.js'
import { labelOf, withoutKnownSecrets } from './secrets.js'

/** A run has few secrets. */
const filterBits = 12

/** Cleans received text before it is recorded. The judge receives unredacted values. */
export class Redaction {
  readonly #own = new KnownSecrets(filterBits)
  readonly #patterns: readonly [form: RegExp, label: string][]

  /** `patterns`: further text to replace. */
  constructor(patterns: readonly RegExp[] = []) {
    this.#patterns = patterns.map(({ source, flags }, index) => [
      new RegExp(source, flags.includes('g') ? flags : `${flags}g`),
      `pattern ${index + 1}`,
    ])
  }

  /** Possible ordinary words are hidden only as whole words. */
  register(secret: string, label: string): void {
    this.#own.add(secret, labelOf(label), !isDistinctive(secret))
  }

  /** Never throws. */
  clean(text: string): string {
    return this.#patterns.reduce(
      (cleaned, [form, label]) => replaceAll(cleaned, form, label),
      withoutKnownSecrets(text, this.#own),
    )
  }
}

/** Removes secrets from an error: its message may quote an answer of the target. */
export function redactError(error: unknown, redaction: Redaction): unknown {
  if (!(error instanceof Error)) return error
  error.message = redaction.clean(error.message)
  if (error.stack !== undefined) error.stack = redaction.clean(error.stack)
  if (error.cause !== undefined) error.cause = redactError(error.cause, redaction)
  return error
}

function replaceAll(text: string, form: RegExp, label: string): string {
  try {
    // Ignores matches of the empty string.
    return text.replace(form, (found) => (found === '' ? '' : `[redacted: ${label}]`))
  } catch (error) {
    // Some patterns exhaust the memory.
    if (error instanceof RangeError) return `[redacted: a text that ${label} cannot search]`
    throw error
  }
}
