/** Names of files and options in camel case. */

export type CamelCase<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

export type CamelCased<Members> = { [Name in keyof Members as CamelCase<Name>]: Members[Name] }

export const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Renames the members of the object, not those of nested objects. */
export const camelCased = <Members extends object>(members: Members): CamelCased<Members> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [camelCase(name), value])) as CamelCased<Members> // the same members
