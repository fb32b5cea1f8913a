import { type ExitCode, exitCode } from '../cli/console/exit-code.js'
import { printData } from '../lib/print.js'
import { matcherOf, NothingSelected } from '../runner/plan/select.js'
import { mutants } from './mutants/catalogue.js'
import { variants } from './variants/catalogue.js'

export interface OnlyFlag {
  only?: string
}

/** Throws `NothingSelected`. */
export async function mutantsCommand({ only }: OnlyFlag): Promise<ExitCode> {
  const chosen = mutants.filter(({ name, rule, operation }) => [name, rule, operation].some(matcherOf(only)))
  if (chosen.length === 0) throw new NothingSelected(`no mutant, rule or operation matches ${JSON.stringify(only)}`)
  for (const { name, rule, operation, sentence, shows } of chosen)
    printData(`${name}  [${rule}, ${operation}, shows in: ${shows}]\n    ${sentence}`)
  printData(`\n${chosen.length} mutants of ${new Set(chosen.map(({ rule }) => rule)).size} rules`)
  return exitCode.conforming
}

/** Throws `NothingSelected`. */
export async function variantsCommand({ only }: OnlyFlag): Promise<ExitCode> {
  const chosen = variants.filter(({ name }) => matcherOf(only)(name))
  if (chosen.length === 0) throw new NothingSelected(`no permitted variant matches ${JSON.stringify(only)}`)
  for (const { name, sentence, permittedBy } of chosen)
    printData(`${name}\n    ${sentence}\n    Permitted: ${permittedBy}`)
  printData(`\n${chosen.length} permitted variants`)
  return exitCode.conforming
}
