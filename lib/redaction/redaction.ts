import {
  type Hidden,
  type Hide,
  isDistinctive,
  KnownSecrets,
  type Place,
  shortestSecret,
  withoutParts,
} from './known-secrets.js'
import { readings } from './readings.js'
import { inTime } from './timed-pattern.js'

/**
 * Two JSON objects in base64url and a signature, separated by dots. A match begins where a word begins and consumes nothing, so the time is
 * linear, and a word before the token hides nothing.
 */
const tokenForm = /(?<![\w-])(?=([\w-]+)(\.eyJ[\w-]{8,}\.[\w-]{16,}))/g
/** Characters. */
const leastOfHeader = 11

function findTokens(text: string, hide: Hide): void {
  if (!text.includes('.eyJ')) return
  for (const { 1: word = '', 2: rest = '', index } of text.matchAll(tokenForm)) {
    const header = word.indexOf('eyJ')
    if (header !== -1 && word.length - header >= leastOfHeader)
      hide(index + header, index + word.length + rest.length, 'a signed token')
  }
}

/** A form has `+` for the blanks. */
const keyLine = /-----(BEGIN|END)[ +][A-Z +]{0,20}PRIVATE[ +]KEY-----/g
const longestKey = 16_384
/** For a key without its last line. */
const keyContent = /^[\w+/=\s\\:,-]*/

/** PEM; without the last line, all characters that can belong to the key. */
function findPrivateKeys(text: string, hide: Hide): void {
  if (!text.includes('KEY-----')) return
  const lines = [...text.matchAll(keyLine)]
  let ends = 0
  let done = 0
  for (const { 0: begin, 1: kind, index } of lines) {
    if (kind === 'END' || index < done) continue
    const content = index + begin.length
    while (ends < lines.length && ((lines[ends]?.index ?? 0) < content || lines[ends]?.[1] === 'BEGIN')) ends += 1
    const end = lines[ends]
    if (end && end.index - content <= longestKey) done = end.index + end[0].length
    else done = content + (keyContent.exec(text.slice(content, content + longestKey))?.[0].length ?? 0)
    hide(index, done, 'a private key')
  }
}

/** Characters. Tokens and keys are longer. */
const shortestForm = 24
/** Characters; bounds the memory for many escapes. */
const pieceLength = 1024 * 1024
/** Characters. */
const overlap = 128 * 1024

const none: ReadonlySet<string> = new Set()

/** Too short for each of the secrets and forms. Most texts of a record are. */
const isShort = (text: string, { shortest }: KnownSecrets): boolean =>
  text.length < shortestForm && text.length < shortest

/** Also hides tokens and private keys. Linear time. `constants`: texts that stay whole. */
function redact(text: string, secrets: readonly KnownSecrets[], constants = none): string {
  const hidden: Hidden[] = []
  for (let start = 0; start === 0 || start + overlap < text.length; start += pieceLength) {
    const piece = text.length <= pieceLength ? text : text.slice(start, start + pieceLength + overlap)
    for (const reading of readings(piece)) {
      const hide = (begin: number, end: number, label: string): void => {
        const [from, to] = reading.placeOf(begin, end)
        const last = hidden.at(-1)
        // A text may repeat one secret.
        if (last?.label === label && start + from >= last.from && start + from < last.to)
          last.to = Math.max(last.to, start + to)
        else hidden.push({ from: start + from, to: start + to, label })
      }
      for (const one of secrets) one.find(reading.text, hide)
      findTokens(reading.text, hide)
      findPrivateKeys(reading.text, hide)
    }
  }
  return hidden.length === 0 ? text : withoutParts(text, outside(keptParts(text, constants), hidden))
}

/** Without the parts within kept ones. */
const outside = (kept: readonly Place[], hidden: readonly Hidden[]): Hidden[] =>
  hidden.filter(({ from, to }) => !kept.some((one) => one.from <= from && to <= one.to))

const marker = /\[redacted: ([^\]]{1,80})\]/g

/** Of the first marker. */
export const hiddenLabel = (text: string): string | undefined => [...text.matchAll(marker)][0]?.[1]

/** Constants, and markers of this program: a label may contain the word that is a secret. An invented label is kept by nothing. */
function keptParts(text: string, constants: ReadonlySet<string>): Place[] {
  const markers = [...text.matchAll(marker)].flatMap(({ 0: all, 1: label = '', index }) =>
    labels.has(label) ? [{ from: index, to: index + all.length }] : [],
  )
  const found = [...constants].flatMap((constant) => placesOf(constant, text))
  return [...markers, ...found]
}

function placesOf(constant: string, text: string): Place[] {
  const places: Place[] = []
  for (let from = text.indexOf(constant); from !== -1; from = text.indexOf(constant, from + constant.length))
    places.push({ from, to: from + constant.length })
  return places
}

/** Drops the oldest: tokens expire within minutes. */
const most = 20_000

let known = new KnownSecrets()
let before = new KnownSecrets()
let suspects = new KnownSecrets()

/** Of all markers. */
const labels = new Set(['a signed token', 'a private key'])

/** Labels occur in JSON lines. */
function labelOf(text: string): string {
  const label = text.replace(/[^\w .,:()-]/g, '_').slice(0, 80)
  labels.add(label)
  return label
}

/** Of a participant, party or synchronizer. It contains a hash and proves nothing, and journals and records must name it. */
const isPublicId = (text: string): boolean => /^[\w:.-]{1,255}::1220[0-9a-f]{64}(?:::\d+-\d+)?$/.test(text)

/** Characters of all texts that the process remembers. */
const mostRemembered = 16 * 1024 * 1024
/** Characters. */
const shortestRemembered = 100
/** Long texts without any known secret. Each answer is cleaned, and then printed with its row. */
let searched = new Set<string>()
let remembered = 0

function forgetSearched(): void {
  searched = new Set()
  remembered = 0
}

const isRemembered = (text: string): boolean => text.length >= shortestRemembered && searched.has(text)

/** `clean`: what the search for all known secrets made of the text. */
function rememberClean(text: string, clean: string): string {
  if (clean !== text || text.length < shortestRemembered) return clean
  if (remembered > mostRemembered) forgetSearched()
  searched.add(text)
  remembered += text.length
  return clean
}

/** False if the secret may be an ordinary word: then only the `Redaction` of a run hides it. */
export function registerSecret(secret: string, label: string): boolean {
  if (!isDistinctive(secret) || isPublicId(secret)) return false
  if (known.size >= most / 2) [known, before] = [new KnownSecrets(), known]
  if (known.add(secret, labelOf(label))) forgetSearched()
  return true
}

/**
 * A process of the program knows the secrets of one command; tests call several commands in one process.
 * @internal
 */
export function forgetSecrets(): void {
  known = new KnownSecrets()
  before = new KnownSecrets()
  suspects = new KnownSecrets()
  forgetSearched()
}

/** A possible secret that no message repeats. */
export function suspectSecret(value: string, label: string): void {
  if (value.length >= shortestSecret && !/^https?:\/\/[^@?#]*$/i.test(value)) suspects.add(value, labelOf(label))
}

/** User, password and query. */
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

/** Labels of `own` have priority. */
export function withoutKnownSecrets(text: string): string {
  if (isShort(text, known) && isShort(text, before)) return text
  return isRemembered(text) ? text : rememberClean(text, redact(text, [known, before]))
}

/** For error messages: also hides possible secrets. */
export const withoutSuspects = (text: string): string => redact(text, [known, before, suspects])

/** A run has few secrets. */
const filterBits = 14

/** Texts that everybody may read, such as those of the suite. */
export interface PublicTexts {
  /** Not searched, although they may contain an encoded word. */
  constants: ReadonlySet<string>
  /** An ordinary word among them is no secret that could be hidden: names of parties and users contain it. */
  words: ReadonlySet<string>
}

/**
 * Cleans received text before it is recorded. The judge receives unredacted values.
 * @example new Redaction([/pin \d+/]).clean('the pin 4711 is set') // 'the [redacted: pattern 1] is set'
 */
export class Redaction {
  readonly #own = new KnownSecrets(filterBits)
  readonly #patterns: readonly [form: RegExp, label: string][]
  readonly #public: PublicTexts

  /** `patterns`: further text to replace. */
  constructor(patterns: readonly RegExp[] = [], open: PublicTexts = { constants: new Set(), words: new Set() }) {
    this.#public = open
    this.#patterns = patterns.map(({ source, flags }, index) => [
      new RegExp(source, flags.includes('g') ? flags : `${flags}g`),
      `pattern ${index + 1}`,
    ])
  }

  /** Possible ordinary words are hidden only as whole words; public words are not hidden. */
  register(secret: string, label: string): void {
    if (isPublicId(secret) || (!isDistinctive(secret) && this.#public.words.has(secret))) return
    this.#own.add(secret, labelOf(label), !isDistinctive(secret))
  }

  /** Never throws. */
  clean(text: string): string {
    const withoutSecrets = this.#withoutSecrets(text)
    if (this.#patterns.length === 0) return withoutSecrets
    return this.#patterns.reduce((cleaned, [form, label]) => replaceAll(cleaned, form, label), withoutSecrets)
  }

  #withoutSecrets(text: string): string {
    if (isShort(text, this.#own) && isShort(text, known) && isShort(text, before)) return text
    const secrets = [this.#own, known, before]
    // Other output hides a known secret also within a constant, so only a text without any secret is remembered.
    const isClean = rememberClean(text, redact(text, secrets)) === text
    return isClean ? text : redact(text, secrets, this.#public.constants)
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

/** Milliseconds. */
const longestSearch = 100

function replaceAll(text: string, form: RegExp, label: string): string {
  const unsearched = `[redacted: a text that ${label} cannot search]`
  // Ignores matches of the empty string.
  const replace = (): string => text.replace(form, (found) => (found === '' ? '' : `[redacted: ${label}]`))
  try {
    return inTime({ source: form.source, text, isSearch: true, limit: longestSearch }, replace) ?? unsearched
  } catch (error) {
    // Some patterns exhaust the memory.
    if (error instanceof RangeError) return unsearched
    throw error
  }
}

/**
 * Characters after the cut that are searched for the end of a secret: more than a private RSA key of 4,096 bits in any
 * encoding of docs/reports.md. With 4,096 characters, a key of 2,048 bits in hexadecimal form was recorded.
 */
export const behindCut = 32_768
const halfPair = /[\ud800-\udbff]$/

/** Redacts before it cuts, so no part of a secret remains. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const clean = withoutKnownSecrets(text.slice(0, most + behindCut))
  if (clean.length <= most && text.length <= most + behindCut) return clean
  return `${clean.slice(0, most - 1).replace(halfPair, '')}…`
}
