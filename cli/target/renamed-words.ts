import { printError } from '../../lib/print.js'

const newNames: Readonly<Record<string, string>> = {
  '--deviation': '--mutant',
  '--variation': '--variant',
  deviations: 'mutants',
  variations: 'variants',
}
/** In other commands the same word can be a value. */
const commands = new Set(['simulate', 'list'])

/** An option may end with `=value`. Prints a hint for each old name. */
export function withNewNames(words: readonly string[]): string[] {
  const [command = ''] = words
  if (!commands.has(command)) return [...words]
  return words.map((word) => {
    const [name = '', ...value] = word.split('=')
    const current = Object.hasOwn(newNames, name) ? newNames[name] : undefined
    if (current === undefined) return word
    printError(`${name} is now ${current}; the next version does not accept the old name`)
    return [current, ...value].join('=')
  })
}
