/** Formats of reports. The help of commands names them, so this module imports little. */
import { UsageError } from '../console/usage-error.js'

export const reportFormats = ['html', 'junit', 'tap', 'ctrf', 'markdown', 'badge', 'schema'] as const

export type ReportFormat = (typeof reportFormats)[number]

export const diffFormats = ['console', 'markdown', 'json', 'html'] as const

export type DiffFormat = (typeof diffFormats)[number]

/** The named formats, each once. Names are separated by spaces or commas. Throws `UsageError`. */
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
