import { printError } from '../../lib/print.js'
import { variableOf } from './setting-options.js'

const mutantNames = {
  ...{ '--deviation': '--mutant', '--variation': '--variant' },
  ...{ deviations: 'mutants', variations: 'variants' },
}
const settingNames = { '--late-look': '--late-check' }

/** By command: in other commands the same word can be a value. */
const newNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...{ simulate: mutantNames, list: mutantNames },
  ...{ run: settingNames, certify: settingNames, doctor: settingNames, learn: settingNames },
}

/** An option may end with `=value`. Prints a hint for each old name. */
export function withNewNames(words: readonly string[]): string[] {
  const [command = ''] = words
  const names = Object.hasOwn(newNames, command) ? newNames[command] : undefined
  if (names === undefined) return [...words]
  return words.map((word) => {
    const [name = '', ...value] = word.split('=')
    const current = Object.hasOwn(names, name) ? names[name] : undefined
    if (current === undefined) return word
    printHint(name, current)
    return [current, ...value].join('=')
  })
}

/** Renames variables of settings in `environment`. Prints a hint for each old name. */
export function renameVariables(environment: NodeJS.ProcessEnv): void {
  for (const [from, to] of Object.entries(settingNames)) {
    const [old, current] = [from, to].map((option) => variableOf(option.slice(2))) as [string, string] // of a pair
    const value = environment[old]
    if (value === undefined) continue
    printHint(old, current)
    if (!environment[current]) environment[current] = value
    delete environment[old]
  }
}

const printHint = (old: string, current: string): void =>
  printError(`${old} is now ${current}; the next version does not accept the old name`)
