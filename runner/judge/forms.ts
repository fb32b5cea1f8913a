import type { Data, Form, Matcher, Profile } from '../suite/suite.js'

/** A matcher without forms. `read`: it says what was only read of such participants. */
export interface Wanted {
  matcher: Matcher
  read: boolean
}

/**
 * A matcher with what the profile says in place of the forms that it names. Where the profile was only read, what the text
 * says stands on its own. A form that the profile does not have stays, and nothing meets it.
 */
export function withoutForms(matcher: Matcher, { forms }: Pick<Profile, 'forms'>): Wanted[] {
  const named = formsIn(matcher).flatMap((name) => forms.get(name) ?? [])
  const facts = { matcher: expand(matcher, forms, (form) => form.matcher), read: false }
  if (!named.some(({ confidence }) => confidence === 'read')) return [facts]
  return [
    { matcher: expand(matcher, forms, ({ text }) => text), read: false },
    { ...facts, read: true },
  ]
}

/** Names of the forms in a matcher, those of what it holds included. */
function formsIn({ form, each, some, at }: Matcher): string[] {
  const inner = [each, some, ...(isMap(at) ? Object.values(at) : [])]
  return [...(typeof form === 'string' ? [form] : []), ...inner.flatMap((one) => (isMap(one) ? formsIn(one) : []))]
}

function expand(matcher: Matcher, forms: Profile['forms'], said: (form: Form) => Matcher): Matcher {
  const { form: name, ...own } = matcher
  const form = typeof name === 'string' ? forms.get(name) : undefined
  const within = (inner: Data | undefined): Data => (isMap(inner) ? { ...expand(inner, forms, said) } : (inner ?? null))
  const { each, some, at } = own
  return {
    ...(form ? said(form) : name !== undefined && { form: name }),
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
