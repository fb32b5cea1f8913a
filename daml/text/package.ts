/** The text format of packages, for the built-in package and tests. */
import type { LanguageVersion, Module, Package } from '../language/package.js'
import { Cursor } from './cursor.js'
import { readModule } from './definitions.js'

/** Throws `LfTextError`. */
export function readPackageText(source: string, id: string, language: LanguageVersion): Package {
  const cursor = new Cursor(source, id)
  for (const word of ['metadata', '(']) cursor.expect(word)
  const name = cursor.quoted()
  cursor.expect(':')
  const version = cursor.quoted()
  cursor.expect(')')
  const modules = new Map<string, Module>()
  while (cursor.token.kind !== 'end') {
    const module = readModule(cursor)
    modules.set(module.name, module)
  }
  const dependencies = [...cursor.packages].filter((used) => used !== id).sort()
  return { id, name, version, language, dependencies, modules }
}
