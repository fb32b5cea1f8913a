type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** As `exactOptionalPropertyTypes` requires. */
export function omitUndefined<Members extends object>(members: Members): Defined<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Defined<Members> // the same members without the undefined ones
}
