/** Names that this program gives, which also occur as ordinary words. */
const ownNames: ReadonlySet<string> = new Set(['code', 'check', 'cause', 'subject'])

/** Facts with each string changed, except the values of `ownNames`. */
export function mapTexts<Facts>(facts: Facts, change: (text: string) => string): Facts {
  const changed = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    if (Array.isArray(value)) return value.map(changed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, ownNames.has(name) ? member : changed(member)]),
    )
  }
  return changed(facts) as Facts // the same members
}
