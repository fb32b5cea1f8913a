/** Shorter texts may be ordinary words of an answer: to replace them there would change what is judged. */
const shortest = 16

/** Secrets that are known by their form, whoever sends them: signed tokens, and private keys as files have them. */
const knownForms: readonly [form: RegExp, label: string][] = [
  [/eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}/g, 'a signed token'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, 'a private key'],
]

/**
 * Keeps secrets out of evidence. Whatever is a token or a key is registered before it is sent for the first time; texts are
 * cleaned where they enter evidence, and once more, as a net, where lines enter the record.
 */
export class Redaction {
  readonly #secrets = new Map<string, string>()
  readonly #patterns: readonly [form: RegExp, label: string][]

  /** `patterns` are further forms to be replaced wherever they are found, in what is judged as well. */
  constructor(patterns: readonly RegExp[] = []) {
    const own = patterns.map(({ source, flags }, index): [RegExp, string] => [
      new RegExp(source, flags.includes('g') ? flags : `${flags}g`),
      `pattern ${index + 1}`,
    ])
    this.#patterns = [...knownForms, ...own]
  }

  /**
   * From now on the text stands in no evidence, in none of the forms in which an answer may repeat it; `label` says what
   * stood there. Texts of fewer than 16 characters are left alone.
   */
  register(secret: string, label: string): void {
    if (secret.length < shortest) return
    for (const form of formsOf(secret)) this.#secrets.set(form, label)
  }

  clean(text: string): string {
    let cleaned = text
    // Most texts of a record are too short to hold one.
    const secrets = text.length < shortest ? [] : this.#secrets
    for (const [secret, label] of secrets) cleaned = cleaned.replaceAll(secret, () => `[redacted: ${label}]`)
    for (const [form, label] of this.#patterns) {
      // A pattern that matches nothing at all, everywhere, is left without effect.
      cleaned = cleaned.replace(form, (found) => (found === '' ? '' : `[redacted: ${label}]`))
    }
    return cleaned
  }

  /** The value with every text in it cleaned; what is no text stays, and so do names of members. */
  cleanAll<T>(value: T): T {
    return clone(value, (text) => this.clean(text)) as T // texts stay texts, so the shape is the same
  }
}

function clone(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((item) => clone(item, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clone(item, clean)]))
}

/** As it is, inside JSON, inside a URL, in base64 of both kinds; and as headers and bytes that are no UTF-8 show all these. */
function formsOf(secret: string): Set<string> {
  const bytes = Buffer.from(secret, 'utf8')
  const forms = [
    bytes.toString('utf8'),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(bytes.toString('utf8')),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ]
  return new Set(forms.flatMap((form) => [form, Buffer.from(form, 'utf8').toString('latin1')]))
}
