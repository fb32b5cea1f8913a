/** What this process knows to be secret, from where it was read to where anything leaves the process. */
import { isDistinctive, KnownSecrets, shortestSecret } from './known-secrets.js'
import { redact } from './redact.js'

/** Tokens expire within minutes: the oldest are given up. */
const most = 20_000

let known = new KnownSecrets()
let before = new KnownSecrets()
const suspects = new KnownSecrets()

/** Labels stand in lines of JSON, too. */
export const labelOf = (label: string): string => label.replace(/[^\w .,:()-]/g, '_').slice(0, 80)

/**
 * From now on the secret is in nothing that leaves the process; the note in its place has the label. False: the secret could be an
 * ordinary word or a number, so only the `Redaction` of a run can hide it, in text that a target sent.
 */
export function registerSecret(secret: string, label: string): boolean {
  if (!isDistinctive(secret)) return false
  if (known.size >= most / 2) [known, before] = [new KnownSecrets(), known]
  known.add(secret, labelOf(label))
  return true
}

/** The value of an environment variable, or of a part of a URL, that no message may repeat: it may be a secret in a wrong place. */
export function suspectSecret(value: string, label: string): void {
  if (value.length >= shortestSecret && !/^https?:\/\/[^@?#]*$/i.test(value)) suspects.add(value, labelOf(label))
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

/** The text without secrets; the labels of `own` come first. */
export const withoutKnownSecrets = (text: string, ...own: readonly KnownSecrets[]): string =>
  redact(text, ...own, known, before)

/** The text of a message about a mistake: without what may be a secret, too. */
export const withoutSuspects = (text: string): string => redact(text, known, before, suspects)
