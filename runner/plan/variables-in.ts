/** Steps of probes and fixtures occur in hundreds of rows. */
const variablesByPiece = new WeakMap<object, ReadonlySet<string>>()

export function variablesIn(piece: object): ReadonlySet<string> {
  const found =
    variablesByPiece.get(piece) ??
    new Set([...JSON.stringify(piece).matchAll(/\$\{([\w.-]+)\}/g)].map(([, name = '']) => name))
  variablesByPiece.set(piece, found)
  return found
}
