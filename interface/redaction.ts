import { HiddenPlaces, type Hide } from './redaction/hidden-places.js'
import { longestPiece, type Piece, type Reader } from './redaction/piece.js'
import { PrivateKeys } from './redaction/private-keys.js'
import { hasEscapes, readAsItStands, readEscaped } from './redaction/reading.js'
import { SecretScanner } from './redaction/secret-scanner.js'
import { SecretSet } from './redaction/secret-set.js'
import { SignedTokens } from './redaction/signed-tokens.js'

/** A shorter text holds no secret. */
const shortestText = 4
/** Texts up to this length come again and again, as headers and what is expected do: how they are cleaned is kept, for so many. */
const shortText = 256
const keptTexts = 10_000

/**
 * Keeps secrets out of what is recorded. Whatever is a token or a key is registered before it is sent for the first time; what
 * is judged is judged as it came, and cleaned when it is recorded.
 *
 * The time that a text takes grows with its length alone: neither with what is in it, nor with how many secrets there are.
 * That does not hold for the patterns that a user brings.
 */
export class Redaction {
  readonly #secrets = new SecretSet()
  readonly #patterns: readonly [form: RegExp, label: string][]
  readonly #cleaned = new Map<string, string>()

  /** `patterns` are further forms to be replaced wherever they are found. */
  constructor(patterns: readonly RegExp[] = []) {
    this.#patterns = patterns.map(({ source, flags }, index) => [
      new RegExp(source, flags.includes('g') ? flags : `${flags}g`),
      `pattern ${index + 1}`,
    ])
  }

  /**
   * From now on the text is hidden, in whatever it is encoded; `label` says what stood there. docs/reports.md tells the forms,
   * how much of a secret is hidden by itself, and where short ones are.
   */
  register(secret: string, label: string): void {
    this.#secrets.add(secret, label)
    this.#cleaned.clear()
  }

  /** The text without secrets; without any in it, the same text. Never throws. */
  clean(text: string): string {
    if (text.length < shortestText) return text
    if (text.length > shortText) return this.#cleanAnew(text)
    const known = this.#cleaned.get(text)
    if (known !== undefined) return known
    const clean = this.#cleanAnew(text)
    if (this.#cleaned.size >= keptTexts) this.#cleaned.clear()
    this.#cleaned.set(text, clean)
    return clean
  }

  #cleanAnew(text: string): string {
    const places = new HiddenPlaces(text.length)
    if (this.#secrets.indexes.length > 0 || SignedTokens.mayBeIn(text) || PrivateKeys.mayBeIn(text))
      readAsItStands(text, new Scanners(this.#secrets, places, Math.min(longestPiece, text.length)))
    if (hasEscapes(text)) readEscaped(text, new Scanners(this.#secrets, places, longestPiece))
    return this.#patterns.reduce((cleaned, [form, label]) => replaceAll(cleaned, form, label), places.applyTo(text))
  }
}

function replaceAll(text: string, form: RegExp, label: string): string {
  try {
    // A pattern that matches nothing at all, everywhere, is left without effect.
    return text.replace(form, (found) => (found === '' ? '' : `[redacted: ${label}]`))
  } catch (error) {
    // Some patterns need more memory than there is for a long text. What they were to hide must not be told all the same.
    if (error instanceof RangeError) return `[redacted: a text in which ${label} could not be looked for]`
    throw error
  }
}

/** All that is looked for, in one reading. */
class Scanners implements Reader {
  readonly #tokens: SignedTokens
  readonly #keys: PrivateKeys
  readonly #secrets: SecretScanner

  constructor(secrets: SecretSet, places: HiddenPlaces, longest: number) {
    const hide: Hide = (from, to, label) => places.hide(from, to, label)
    this.#tokens = new SignedTokens(hide)
    this.#keys = new PrivateKeys(hide)
    this.#secrets = new SecretScanner(secrets.indexes, hide, longest)
  }

  /** Secrets come last: their labels say more than that something is a token. */
  take(piece: Piece): void {
    this.#tokens.take(piece)
    this.#keys.take(piece)
    this.#secrets.take(piece)
  }

  end(): void {
    this.#tokens.end()
    this.#keys.end()
    this.#secrets.end()
  }
}
