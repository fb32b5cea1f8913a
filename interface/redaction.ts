/** Shorter texts may be ordinary words of an answer: to replace them there would change what is judged. */
const shortest = 16

/**
 * Keeps secrets out of evidence. Whatever is a token or a key is registered before it is sent for the first time; texts are
 * cleaned where they enter evidence.
 */
export class Redaction {
  readonly #secrets = new Map<string, string>()

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
    for (const [secret, label] of this.#secrets) cleaned = cleaned.replaceAll(secret, () => `[redacted: ${label}]`)
    return cleaned
  }
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
