import { suggestion } from '../../interface/suggest.js'
import { ConformanceError } from '../types/conformance-error.js'

/** Refuses a misspelt option, which would be silently without effect. Throws `ConformanceError`. */
export function requireKnownOptions(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    throw new ConformanceError('INVALID_OPTION', `there is no option ${name}; ${suggestion(name, known)}`)
  }
}

/** One of the known values. Throws `ConformanceError`. */
export function requireKnownValue<T extends string | number>(option: string, value: T, known: readonly T[]): T {
  if (known.includes(value)) return value
  throw new ConformanceError('INVALID_OPTION', `${option}: there is no ${value}; known: ${known.join(', ')}`)
}
