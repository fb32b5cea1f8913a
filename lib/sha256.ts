import crypto, { createHash } from 'node:crypto'

/** Strings as UTF-8. The single call is several times faster; Node before 20.12 lacks it. */
export const sha256: (data: Buffer | string) => Buffer =
  crypto.hash === undefined
    ? (data) => createHash('sha256').update(data).digest()
    : (data) => Buffer.from(crypto.hash('sha256', data, 'binary'), 'binary')
