import type { Confidence, Data, Matcher as ResolvedMatcher } from '../../record/types/resolved-row.js'
import type { Format, Matcher, Profile } from '../suite/suite.js'

/** A matcher without formats, and how it is known. */
export interface Wanted {
  matcher: ResolvedMatcher
  confidence: Confidence
}

/**
 * A matcher with what the profile says in place of the formats that it names; none where the profile leaves them open. Where the
 * profile was only read, what the text says stands on its own.
 */
export function withoutFormats(matcher: Matcher, { formats }: Pick<Profile, 'formats'>): Wanted[] {
  const named = formatsIn(matcher).flatMap((name) => formats.get(name) ?? [])
  const confidences = new Set(named.map(({ confidence }) => confidence))
  const facts = expand(matcher, formats, (format) => format.matcher)
  const wanted: Wanted[] = confidences.has('read')
    ? [
        { matcher: expand(matcher, formats, ({ text }) => text), confidence: 'text' },
        { matcher: facts, confidence: 'read' },
      ]
    : [{ matcher: facts, confidence: confidences.has('observed') ? 'observed' : 'text' }]
  return wanted.filter((one) => !isOpen(one.matcher))
}

const isOpen = (matcher: object): boolean => Object.keys(matcher).length === 0

/** Names of the formats in a matcher, those of what it holds included. */
function formatsIn({ format, each, every, some, at }: Matcher): string[] {
  const inner = [each, every, some, ...(isMap(at) ? Object.values(at) : [])]
  return [
    ...(typeof format === 'string' ? [format] : []),
    ...inner.flatMap((one) => (isMap(one) ? formatsIn(one) : [])),
  ]
}

function expand(matcher: Matcher, formats: Profile['formats'], said: (format: Format) => Matcher): ResolvedMatcher {
  const { format: name, of, ...own } = matcher
  const format = name === undefined ? undefined : formats.get(name)
  if (name !== undefined && !format) throw new Error(`the loader let through the unknown format ${name}`)
  const { each, every, some, at, ...plain } = own
  const inner = (item: Data | undefined): Data | undefined => {
    const found = isMap(item) ? { ...expand(item, formats, said) } : (item ?? null)
    return isMap(found) && isOpen(found) ? undefined : found
  }
  const nested = Object.entries({ each, every, some }).flatMap(([key, item]): [string, Data][] => {
    const found = item === undefined ? undefined : inner(item)
    return found === undefined ? [] : [[key, found]]
  })
  const places = Object.entries(isMap(at) ? at : {}).flatMap(([pointer, item]): [string, Data][] => {
    const found = inner(item)
    return found === undefined ? [] : [[pointer, found]]
  })
  return {
    ...(format && given(said(format), of)),
    ...plain,
    ...Object.fromEntries(nested),
    ...(places.length > 0 && { at: Object.fromEntries(places) }),
  }
}

/** What a profile says, with the value that the case gives in place of `${of}`. */
function given(matcher: Matcher, of: Data | undefined): ResolvedMatcher {
  if (of === undefined) return matcher
  return Object.fromEntries(Object.entries(matcher).map(([name, wanted]) => [name, replaced(wanted, of)]))
}

const isGiven = (value: Data | undefined): boolean => typeof value === 'string' && /^\$\{of\}$/.test(value)

function replaced(value: Data | undefined, of: Data): Data {
  if (isGiven(value)) return of
  if (Array.isArray(value)) return value.map((item) => replaced(item, of))
  if (!isMap(value)) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, of)]))
}

const isMap = (value: Data | undefined): value is Record<string, Data> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
