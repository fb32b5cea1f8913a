import { UsageError } from '../console/usage-error.js'

/** The formats that were asked for, which may be separated by blanks or commas, each once. Throws `UsageError`. */
export function chooseFormats<T extends string>(asked: readonly string[], known: readonly T[]): T[] {
  const names = asked.flatMap((name) => name.split(',')).filter((name) => name !== '')
  const chosen = names.map((name) => {
    const found = known.find((format) => format === name)
    if (found === undefined) throw new UsageError(`format: there is no ${name}; known: ${known.join(', ')}`)
    return found
  })
  return [...new Set(chosen)]
}
