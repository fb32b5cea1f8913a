import type { Confidence, Data, Matcher as ResolvedMatcher } from '../../record/resolved-row.js'
import type { Format, Matcher, Profile } from '../suite/suite.js'

/** A matcher without formats, and how it is known. */
export interface Wanted {
  matcher: ResolvedMatcher
  confidence: Confidence
}

/**
 * A matcher with what the profile says in place of the formats that it names. Where the profile was only read, what the text
 * says stands on its own. A format that the profile does not have is nothing that a value could meet.
 */
export function withoutFormats(matcher: Matcher, { formats }: Pick<Profile, 'formats'>): Wanted[] {
  const named = formatsIn(matcher).flatMap((name) => formats.get(name) ?? [])
  const confidences = new Set(named.map(({ confidence }) => confidence))
  const facts = expand(matcher, formats, (format) => format.matcher)
  if (!confidences.has('read'))
    return [{ matcher: facts, confidence: confidences.has('observed') ? 'observed' : 'text' }]
  return [
    { matcher: expand(matcher, formats, ({ text }) => text), confidence: 'text' },
    { matcher: facts, confidence: 'read' },
  ]
}

/** Names of the formats in a matcher, those of what it holds included. */
function formatsIn({ format, each, some, at }: Matcher): string[] {
  const inner = [each, some, ...(isMap(at) ? Object.values(at) : [])]
  return [
    ...(typeof format === 'string' ? [format] : []),
    ...inner.flatMap((one) => (isMap(one) ? formatsIn(one) : [])),
  ]
}

function expand(matcher: Matcher, formats: Profile['formats'], said: (format: Format) => Matcher): ResolvedMatcher {
  const { format: name, ...own } = matcher
  const format = name === undefined ? undefined : formats.get(name)
  if (name !== undefined && !format) throw new Error(`the loader let through the unknown format ${name}`)
  const within = (inner: Data | undefined): Data =>
    isMap(inner) ? { ...expand(inner, formats, said) } : (inner ?? null)
  const { each, some, at } = own
  return {
    ...(format && said(format)),
    ...own,
    ...(isMap(each) && { each: within(each) }),
    ...(isMap(some) && { some: within(some) }),
    ...(isMap(at) && {
      at: Object.fromEntries(Object.entries(at).map(([pointer, inner]) => [pointer, within(inner)])),
    }),
  }
}

const isMap = (value: Data | undefined): value is Record<string, Data> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
