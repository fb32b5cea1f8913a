/** All but the unreserved characters of RFC 3986; `encodeURIComponent` also keeps `!'()*`. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)
