import { isIPv4 } from 'node:net'

/**
 * The host of a URL, or an address. Other machines cannot reach it, so more is permitted there.
 * @example isLoopback('[::1]') // true
 */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
