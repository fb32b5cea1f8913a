import { readFileSync } from 'node:fs'
import { readDar } from '../../../daml/archive/dar.js'
import type { InterfaceSchema, TemplateSchema } from '../../../daml/schema/schema.js'
import {
  builtInPackage,
  type HeldPackage,
  PackageStore,
  packageIn,
} from '../../../simulator/ledger/packages/package-store.js'

const folder = new URL('../../../../model/packages/', import.meta.url)

export const readPackage = (file: string): Buffer => readFileSync(new URL(file, folder))

export function packagesIn(file: string): HeldPackage[] {
  const { main, dependencies } = readDar(readPackage(file))
  return [main, ...dependencies].map(packageIn)
}

const mainOf = (name: string): HeldPackage => {
  const [main] = packagesIn(`${name}.dar`)
  if (!main) throw new Error(`${name}.dar has no package`)
  return main
}

export interface ModelPackage {
  held: HeldPackage
  id: string
  name: string
  version: string
  language: string
  dependencies: readonly string[]
  templates: TemplateSchema[]
  interfaces: InterfaceSchema[]
}

const files = [
  'conformance-model-1.0.0',
  'conformance-model-keys-1.0.0',
  'conformance-upgrade-1.0.0',
  'conformance-upgrade-1.1.0',
  'conformance-upgrade-1.2.0',
  'conformance-dependency-1.0.0',
  'conformance-dependent-1.0.0',
]

const held = [builtInPackage, ...files.map(mainOf)]

/** Also packages that cannot be vetted together. */
export const modelStore = new PackageStore(held)

function described(item: HeldPackage): ModelPackage {
  const { id, name, version, language, content } = item
  const modules = [...content.modules.values()]
  const templates = modules.flatMap((module) =>
    [...module.templates.values()].flatMap((definition) => modelStore.template(definition.id) ?? []),
  )
  const interfaces = modules.flatMap((module) =>
    [...module.interfaces.values()].flatMap((definition) => modelStore.entity(definition.id)?.interface ?? []),
  )
  const { dependencies } = content
  return { held: item, id, name, version, language, dependencies, templates, interfaces }
}

/** The built-in package first. */
export const packages: ModelPackage[] = held.map(described)

export const conformanceModel: ModelPackage = packageOf('conformance-model')

export function packageOf(name: string, version?: string): ModelPackage {
  const found = packages.find((item) => item.name === name && (version ?? item.version) === item.version)
  if (!found) throw new Error(`no package ${name} ${version ?? ''}`)
  return found
}

export function templateOf(entity: string, version?: string): TemplateSchema {
  const all = packages.filter((item) => version === undefined || item.version === version)
  const found = all.flatMap(({ templates }) => templates).find(({ id }) => id.entity === entity)
  if (!found) throw new Error(`no template ${entity}`)
  return found
}
