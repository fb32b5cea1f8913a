/** SHA-256 digests. */
import crypto, { createHash } from 'node:crypto'

/** Strings are hashed as UTF-8. The single call of Node 20.12 and later is several times faster than a hash object. */
export const sha256: (data: Buffer | string) => Buffer =
  crypto.hash === undefined
    ? (data) => createHash('sha256').update(data).digest()
    : (data) => Buffer.from(crypto.hash('sha256', data, 'binary'), 'binary')
