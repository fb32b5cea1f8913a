/**
 * A trailing slash, doubled slashes and percent-encoding make no difference (as seen on 3.5.10), nor does an absolute URL as
 * the request target, which every HTTP server has to take.
 */
export function canonical(target: string): string {
  const [path = '', ...query] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  const plain = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  return [plain.split('/').map(recode).join('/') || '/', ...query].join('?')
}

/** One canonical spelling of a path segment; what cannot be decoded stands for itself. */
function recode(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return encodeURIComponent(segment)
  }
}
