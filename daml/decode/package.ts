import type { LanguageVersion, Module, Package } from '../language/package.js'
import { malformed } from './archive-error.js'
import { decodeModule } from './definitions.js'
import { decodeExpr } from './expressions.js'
import { Tables } from './tables.js'
import { decodeKind, decodeType } from './types.js'
import { Message } from './wire.js'

export interface PackageMetadata {
  name: string
  version: string
}

/** Reads only name and version. Throws `ArchiveError`. */
export function decodeMetadata(bytes: Uint8Array): PackageMetadata {
  const root = new Message(bytes)
  if (!root.has(4)) throw malformed('the package has no metadata')
  const strings = root.texts(2)
  const metadata = root.message(4)
  const [name, version] = [strings[metadata.int32(1)], strings[metadata.int32(2)]]
  if (name === undefined || version === undefined)
    throw malformed('the metadata of the package refers to a missing string')
  if (!/^[\w-]+$/.test(name)) throw malformed(`${JSON.stringify(name.slice(0, 100))} is not a package name`)
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*))*$/.test(version)) {
    throw malformed(`${JSON.stringify(version.slice(0, 100))} is not a package version`)
  }
  return { name, version }
}

/** `id` replaces references of the package to itself. Throws `ArchiveError`. */
export function decodePackage(id: string, language: LanguageVersion, bytes: Uint8Array): Package {
  const metadata = decodeMetadata(bytes)
  const root = new Message(bytes)
  const tables = new Tables(id, language, root)
  // Entries refer only to earlier ones.
  for (const kind of root.messages(6)) tables.addKind(decodeKind(kind, tables))
  for (const type of root.messages(5)) tables.addType(decodeType(type, tables))
  for (const expr of root.messages(7)) tables.addExpr(decodeExpr(expr, tables))
  const modules = new Map<string, Module>()
  for (const message of root.messages(1)) {
    const module = decodeModule(message, tables)
    if (modules.has(module.name)) throw malformed(`module ${module.name} occurs twice`)
    modules.set(module.name, module)
  }
  return { id, ...metadata, language, dependencies: [...tables.dependencies].sort(), modules }
}
