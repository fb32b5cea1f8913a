/**
 * Removes trailing and double slashes, percent-encoding (observed on 3.5.10) and the origin of an absolute URL (RFC
 * 9112).
 */
export function canonical(target: string): string {
  const [path = '', ...query] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  const plain = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  return [plain.split('/').map(recode).join('/') || '/', ...query].join('?')
}

/** An undecodable segment is encoded literally. */
function recode(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return encodeURIComponent(segment)
  }
}
