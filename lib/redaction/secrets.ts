/** What this process knows to be secret, from where it was read to where anything leaves the process. */
import { KnownSecrets } from './known-secrets.js'
import { redact } from './redact.js'

/** A shorter one could be anything. */
const shortest = 8
/** Tokens expire within minutes: the oldest are given up. */
const most = 20_000

let known = new KnownSecrets()
let before = new KnownSecrets()
const suspects = new KnownSecrets()

/** Labels stand in lines of JSON, too. */
const labelOf = (label: string): string => label.replace(/[^\w .,:()-]/g, '_').slice(0, 80)

/**
 * From now on the secret is in nothing that leaves the process; `label` says what stood there. What could be an ordinary word or a
 * number, because it has letters or digits alone, is hidden only where the whole of a value that a target sent is cleaned.
 */
export function registerSecret(secret: string, label: string): void {
  if (!isDistinctive(secret)) return
  if (known.size >= most / 2) [known, before] = [new KnownSecrets(), known]
  known.add(secret, labelOf(label))
  const signature = /^eyJ[\w-]+\.[\w-]+\.([\w-]{16,})$/.exec(secret)?.[1]
  if (signature !== undefined) known.add(signature, labelOf(label))
}

/** The value of an environment variable, or of a part of a URL, that no message may repeat: it may be a secret in a wrong place. */
export function suspectSecret(value: string, label: string): void {
  if (value.length >= shortest && !/^https?:\/\/[^@?#]*$/i.test(value)) suspects.add(value, labelOf(label))
}

/** User, password and query of a URL, whatever it is for; a text that is no URL has none. */
export function registerUrl(text: string, label: string): void {
  if (!URL.canParse(text)) return
  const { username, password, search, searchParams } = new URL(text)
  for (const secret of [password, safelyDecoded(password)]) registerSecret(secret, `password of ${label}`)
  for (const secret of [username, search.slice(1), ...searchParams.values()])
    suspectSecret(secret, `a part of ${label}`)
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isDistinctive = (secret: string): boolean =>
  secret.length >= shortest && !/^(?:[a-z]+|[A-Z]?[a-z]+|[A-Z]+|\d+)$/.test(secret)

/** The text without secrets. */
export const withoutKnownSecrets = (text: string): string => redact(text, known, before)

/** The text of a message about a mistake: without what may be a secret, too. */
export const withoutSuspects = (text: string): string => redact(text, known, before, suspects)
