import { isDistinctive, KnownSecrets } from './known-secrets.js'
import { labelOf, withoutKnownSecrets } from './secrets.js'

/** One run has few secrets of its own. */
const filterBits = 12

/**
 * Removes secrets from text that another process sent, before it is recorded: all secrets of this process, and those of this run
 * or request that may be ordinary words. Values are judged as they came.
 */
export class Redaction {
  readonly #own = new KnownSecrets(filterBits)
  readonly #patterns: readonly [form: RegExp, label: string][]

  /** `patterns`: further forms to replace, as they are written. */
  constructor(patterns: readonly RegExp[] = []) {
    this.#patterns = patterns.map(({ source, flags }, index) => [
      new RegExp(source, flags.includes('g') ? flags : `${flags}g`),
      `pattern ${index + 1}`,
    ])
  }

  /** From now on the secret is hidden here. A secret that may be an ordinary word is hidden only as a whole word. */
  register(secret: string, label: string): void {
    this.#own.add(secret, labelOf(label), !isDistinctive(secret))
  }

  /** The text without secrets; without any in it, the same text. Never throws. */
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
    // Some patterns need more memory than there is for a long text. The text that they should hide must not appear.
    if (error instanceof RangeError) return `[redacted: a text in which ${label} could not be looked for]`
    throw error
  }
}
