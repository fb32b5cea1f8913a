import { mutants } from '../../../lab/mutants/catalogue.js'
import { variants } from '../../../lab/variants/catalogue.js'
import { printData } from '../../../lib/print.js'
import { matcherOf, NothingSelected } from '../../../runner/plan/select.js'
import { type ExitCode, exitCode } from '../../console/exit-code.js'

export interface OnlyFlag {
  only?: string
}

/** Throws `NothingSelected`. */
export async function listMutantsCommand({ only }: OnlyFlag): Promise<ExitCode> {
  const chosen = mutants.filter(({ name, rule, operation }) => [name, rule, operation].some(matcherOf(only)))
  if (chosen.length === 0)
    throw new NothingSelected(`no seeded fault, rule or operation matches ${JSON.stringify(only)}`)
  for (const { name, rule, operation, sentence, shows } of chosen)
    printData(`${name}  [${rule}, ${operation}, shows in: ${shows}]\n    ${sentence}`)
  printData(`\n${chosen.length} seeded faults of ${new Set(chosen.map(({ rule }) => rule)).size} rules`)
  return exitCode.conforming
}

/** Throws `NothingSelected`. */
export async function listVariantsCommand({ only }: OnlyFlag): Promise<ExitCode> {
  const chosen = variants.filter(({ name }) => matcherOf(only)(name))
  if (chosen.length === 0) throw new NothingSelected(`no permitted variant matches ${JSON.stringify(only)}`)
  for (const { name, sentence, permittedBy } of chosen)
    printData(`${name}\n    ${sentence}\n    Permitted: ${permittedBy}`)
  printData(`\n${chosen.length} permitted variants`)
  return exitCode.conforming
}
