import type { Data, Form, Matcher, Profile } from '../suite.js'

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

/** Names of the forms in a matcher, those of list elements included. */
function formsIn({ form, each, some }: Matcher): string[] {
  const inner = [each, some].flatMap((one) => (isMatcher(one) ? formsIn(one) : []))
  return [...(typeof form === 'string' ? [form] : []), ...inner]
}

function expand(matcher: Matcher, forms: Profile['forms'], said: (form: Form) => Matcher): Matcher {
  const { form: name, ...own } = matcher
  const form = typeof name === 'string' ? forms.get(name) : undefined
  const { each, some } = own
  return {
    ...(form ? said(form) : name !== undefined && { form: name }),
    ...own,
    ...(isMatcher(each) && { each: { ...expand(each, forms, said) } }),
    ...(isMatcher(some) && { some: { ...expand(some, forms, said) } }),
  }
}

const isMatcher = (value: Data | undefined): value is Record<string, Data> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
