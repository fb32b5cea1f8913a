/**
 * The program as the build has put it together: one file in place of hundreds, and beside it what V8 had made of that by then. A V8 of
 * another version does not take that, and makes it anew.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

type Program = typeof import('./program.js')

const file = fileURLToPath(new URL('../program/program.cjs', import.meta.url))

/** What is done with the program: what V8 has made of its functions is kept for each apart, as all of it is read at once. */
export type Use = 'command' | 'simulator'

export const codeFile = (use: Use): string => `${file}.${use}`

/** Throws where the build has not been made. */
export const loadProgram = (use: Use): Program => runProgram(compileProgram(use))

export function compileProgram(use: Use): Script {
  // It stands on disk in ASCII alone.
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`
  const code = codeFile(use)
  return new Script(source, { filename: file, ...(existsSync(code) && { cachedData: readFileSync(code) }) })
}

/** What the program exports. */
export function runProgram(script: Script): Program {
  const module = { exports: {} }
  const run: unknown = script.runInThisContext()
  if (typeof run !== 'function') throw new Error('the program is made of one function')
  run(module.exports, createRequire(file), module, file, dirname(file))
  return module.exports as Program // the build makes it of that module
}
