import { InvalidArgumentError } from 'commander'

/**
 * At most nine digits. Throws `InvalidArgumentError`.
 * @example wholeNumber('32') // 32
 */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number')
  return Number(text)
}

/** Throws `InvalidArgumentError`. */
export function positiveNumber(text: string): number {
  const number = wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('expected a whole number of at least 1')
  return number
}
