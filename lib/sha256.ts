import crypto, { createHash } from 'node:crypto'

/**
 * SHA-256 of bytes, or of a text as UTF-8. Node 20.12 and later do it in one call, where a hash object, and bytes outside of
 * the heap for its result, take several times as long as the hash itself.
 */
export const sha256: (data: Buffer | string) => Buffer =
  crypto.hash === undefined
    ? (data) => createHash('sha256').update(data).digest()
    : (data) => Buffer.from(crypto.hash('sha256', data, 'binary'), 'binary')
