/**
 * Keeps secrets out of evidence. Whatever is a token or a key is registered before it is sent for the first time; bytes are
 * cleaned where they enter evidence.
 */
export class Redaction {
  readonly #secrets = new Map<string, string>()

  /** From now on the text stands in no evidence; `label` says what stood there. */
  register(secret: string, label: string): void {
    if (secret.length >= 4) this.#secrets.set(secret, label)
  }

  clean(text: string): string {
    let cleaned = text
    for (const [secret, label] of this.#secrets) cleaned = cleaned.replaceAll(secret, `[redacted: ${label}]`)
    return cleaned
  }
}
