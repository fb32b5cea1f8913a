import { isJsonObject } from '../../lib/json/json.js'
import type { Confidence, Data, Matcher as ResolvedMatcher } from '../../record/types/resolved-row.js'
import type { Format, Matcher, Profile } from '../suite/suite.js'

export interface FormatlessMatcher {
  matcher: ResolvedMatcher
  confidence: Confidence
}

/** For facts read in source code, the text's matcher is separate. */
export function withoutFormats(matcher: Matcher, { formats }: Pick<Profile, 'formats'>): FormatlessMatcher[] {
  const named = formatsIn(matcher).flatMap((name) => formats.get(name) ?? [])
  const confidences = new Set(named.map(({ confidence }) => confidence))
  const facts = expand(matcher, formats, (format) => format.matcher)
  const found: FormatlessMatcher[] = confidences.has('read')
    ? [
        { matcher: expand(matcher, formats, ({ text }) => text), confidence: 'text' },
        { matcher: facts, confidence: 'read' },
      ]
    : [{ matcher: facts, confidence: confidences.has('observed') ? 'observed' : 'text' }]
  return found.filter((one) => !isOpen(one.matcher))
}

const isOpen = (matcher: object): boolean => Object.keys(matcher).length === 0

function formatsIn({ format, each, every, some, at }: Matcher): string[] {
  const inner = [each, every, some, ...(isJsonObject(at) ? Object.values(at) : [])]
  return [
    ...(typeof format === 'string' ? [format] : []),
    ...inner.flatMap((one) => (isJsonObject(one) ? formatsIn(one) : [])),
  ]
}

function expand(matcher: Matcher, formats: Profile['formats'], choose: (format: Format) => Matcher): ResolvedMatcher {
  const { format: name, of, ...own } = matcher
  const format = name === undefined ? undefined : formats.get(name)
  if (name !== undefined && !format) throw new Error(`the loader accepted the unknown format ${name}`)
  const { each, every, some, at, ...plain } = own
  const inner = (item: Data | undefined): Data | undefined => {
    const found = isJsonObject(item) ? { ...expand(item, formats, choose) } : (item ?? null)
    return isJsonObject(found) && isOpen(found) ? undefined : found
  }
  const nested = Object.entries({ each, every, some }).flatMap(([key, item]): [string, Data][] => {
    const found = item === undefined ? undefined : inner(item)
    return found === undefined ? [] : [[key, found]]
  })
  const places = Object.entries(isJsonObject(at) ? at : {}).flatMap(([pointer, item]): [string, Data][] => {
    const found = inner(item)
    return found === undefined ? [] : [[pointer, found]]
  })
  return {
    ...(format && withArgument(choose(format), of)),
    ...plain,
    ...Object.fromEntries(nested),
    ...(places.length > 0 && { at: Object.fromEntries(places) }),
  }
}

function withArgument(matcher: Matcher, of: Data | undefined): ResolvedMatcher {
  if (of === undefined) return matcher
  return Object.fromEntries(Object.entries(matcher).map(([name, value]) => [name, replaced(value, of)]))
}

const isArgument = (value: Data | undefined): boolean => typeof value === 'string' && /^\$\{of\}$/.test(value)

function replaced(value: Data | undefined, of: Data): Data {
  if (isArgument(value)) return of
  if (Array.isArray(value)) return value.map((item) => replaced(item, of))
  if (!isJsonObject(value)) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, of)]))
}
