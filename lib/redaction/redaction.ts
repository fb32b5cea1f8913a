import { isDistinctive, KnownSecrets } from './known-secrets.js'
import { labelOf, withoutKnownSecrets } from './secrets.js'

/** Size of the filter of one run, which has few secrets. */
const filterBits = 12

/**
 * Removes secrets from received text before it is recorded: all secrets of this process, and those of this run or request that may
 * be ordinary words. The judge receives unredacted values.
 */
export class Redaction {
  readonly #own = new KnownSecrets(filterBits)
  readonly #patterns: readonly [form: RegExp, label: string][]

  /** `patterns`: regular expressions of further text to replace. */
  constructor(patterns: readonly RegExp[] = []) {
    this.#patterns = patterns.map(({ source, flags }, index) => [
      new RegExp(source, flags.includes('g') ? flags : `${flags}g`),
      `pattern ${index + 1}`,
    ])
  }

  /** Adds a secret. One that may be an ordinary word is hidden only as a whole word. */
  register(secret: string, label: string): void {
    this.#own.add(secret, labelOf(label), !isDistinctive(secret))
  }

  /** Returns an equal text if it contains no secret. Never throws. */
  clean(text: string): string {
    return this.#patterns.reduce(
      (cleaned, [form, label]) => replaceAll(cleaned, form, label),
      withoutKnownSecrets(text, this.#own),
    )
  }
}

function replaceAll(text: string, form: RegExp, label: string): string {
  try {
    // A pattern that matches the empty string everywhere has no effect.
    return text.replace(form, (found) => (found === '' ? '' : `[redacted: ${label}]`))
  } catch (error) {
    // Some patterns exhaust the memory for a long text; then the whole text is hidden.
    if (error instanceof RangeError) return `[redacted: a text that ${label} cannot search]`
    throw error
  }
}
