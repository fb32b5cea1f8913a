/** The kill matrix as it is kept beside a suite. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readInputText } from '../lib/files/read-input.js'
import type { KillMatrix } from './matrix.js'

const fileName = 'kill-matrix.json'

/** Where the matrix of the suite in that folder is. */
const matrixFile = (suiteFolder: string): string => join(suiteFolder, fileName)

/** A matrix that is there and cannot be read; the message says what to do. */
export class MatrixError extends Error {
  override readonly name = 'MatrixError'
}

/** Undefined: this suite has none. Rejects with `MatrixError` and `InputError`. */
export async function readMatrix(suiteFolder: string): Promise<KillMatrix | undefined> {
  const file = matrixFile(suiteFolder)
  if (!existsSync(file)) return undefined
  try {
    const found: unknown = JSON.parse(await readInputText(file, 'a page'))
    if (isMatrix(found)) return found
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new MatrixError(`${file} is no kill matrix: write it anew with npm run prove`)
}

const isMatrix = (found: unknown): found is KillMatrix =>
  typeof found === 'object' && found !== null && 'suite' in found && 'mutants' in found && Array.isArray(found.mutants)

/** One line for each mutant, so that changes of it can be read. */
export function printMatrix({ suite, all, mutants }: KillMatrix): string {
  const lines = mutants.map((one) => `    ${JSON.stringify(one)}`)
  return `{\n  "suite": ${JSON.stringify(suite)},\n  "all": ${all},\n  "mutants": [\n${lines.join(',\n')}\n  ]\n}\n`
}
