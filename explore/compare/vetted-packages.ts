import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.js'

/** Ids of the packages whose vetting the exploration changes. */
export type OwnPackages = ReadonlySet<string>

/** Removes packages that other clients vet, such as the libraries of an uploaded archive. */
export function withoutOtherPackages(body: JsonValue, own: OwnPackages): JsonValue {
  if (!isJsonObject(body)) return body
  return mapMembers(body, (name, value) => {
    if (name === 'vettedPackages' && Array.isArray(value)) return value.map((state) => filtered(state, own))
    return name === 'pastVettedPackages' || name === 'newVettedPackages' ? filtered(value, own) : value
  })
}

const filtered = (state: JsonValue, own: OwnPackages): JsonValue =>
  isJsonObject(state)
    ? mapMembers(state, (name, value) =>
        name === 'packages' && Array.isArray(value) ? value.filter((one) => isOwn(one, own)) : value,
      )
    : state

/** Elements of another form stay, so that the comparison finds them. */
const isOwn = (one: JsonValue, own: OwnPackages): boolean => {
  const id = isJsonObject(one) ? one['packageId'] : undefined
  return typeof id !== 'string' || own.has(id)
}

const mapMembers = (object: JsonObject, change: (name: string, value: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(name, value)]))
