/** The help names the formats, so this module imports little. */
import { UsageError } from '../../lib/usage-error.js'

export const reportFormats = ['html', 'junit', 'tap', 'ctrf', 'markdown', 'badge', 'schema'] as const

/** `github` prints and writes no file. */
export const reportChoices = [...reportFormats, 'github', 'all'] as const

export type ReportChoice = (typeof reportChoices)[number]

export type ReportFormat = (typeof reportFormats)[number]

export const diffFormats = ['console', 'markdown', 'json'] as const

export type DiffFormat = (typeof diffFormats)[number]

/**
 * Spaces or commas separate the names. Throws `UsageError`.
 * @example chooseFormats(['junit,tap'], reportFormats) // ['junit', 'tap']
 */
export function chooseFormats<T extends string>(names: readonly string[], known: readonly T[]): T[] {
  const chosen = names
    .flatMap((name) => name.split(','))
    .filter((name) => name !== '')
    .map((name) => {
      const format = known.find((each) => each === name)
      if (format === undefined) throw new UsageError(`format: unknown format ${name}; known: ${known.join(', ')}`)
      return format
    })
  return [...new Set(chosen)]
}
