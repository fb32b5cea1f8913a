/**
 * Packages written as text: for the package that is built in, of which there is no archive, and for tests. It is the form in
 * which the packages of the model are written too, as far as they need it.
 */
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
