import type { Choice, DataType, Module, Template } from '../../../daml/language/package.js'
import { type FieldType, printType, type Type } from '../../../daml/language/types.js'
import type { HeldPackage, PackageStore } from './package-store.js'

/** The reason why `newer` cannot upgrade `older`; undefined if it can. */
export function upgradeProblem(older: HeldPackage, newer: HeldPackage, packages: PackageStore): string | undefined {
  const same = sameTypes(packages)
  for (const [name, module] of older.content.modules) {
    const problem = moduleProblem(module, newer.content.modules.get(name), same)
    if (problem) return problem
  }
  return undefined
}

type Same = (older: Type, newer: Type) => boolean

/** Compares package names instead of package ids. */
const sameTypes = (packages: PackageStore): Same => {
  const named = (type: Type): string =>
    printType(type).replaceAll(/[0-9a-f]{64}(?=:)/g, (id) => packages.get(id)?.name ?? id)
  return (older, newer) => named(older) === named(newer)
}

function moduleProblem(older: Module, newer: Module | undefined, same: Same): string | undefined {
  for (const [name, template] of older.templates) {
    const upgraded = newer?.templates.get(name)
    if (!upgraded) return missing('Template', name)
    const problem = templateProblem(template, upgraded, same)
    if (problem) return problem
  }
  for (const name of older.interfaces.keys()) {
    if (newer?.interfaces.has(name)) {
      return `Tried to upgrade interface ${name}, but interfaces cannot be upgraded. They should be removed in any upgrading package.`
    }
  }
  for (const name of older.exceptions.keys()) {
    if (newer?.exceptions.has(name)) {
      return `Tried to upgrade exception ${name}, but exceptions cannot be upgraded. They should be removed in any upgrading package.`
    }
  }
  for (const [name, type] of older.dataTypes) {
    // The type of an exception must disappear with it.
    if (!type.serializable || older.exceptions.has(name)) continue
    const upgraded = newer?.dataTypes.get(name)
    if (!upgraded) return missing('Data type', name)
    const problem = dataProblem(describe(older, name), type, upgraded, same)
    if (problem) return problem
  }
  return undefined
}

const missing = (kind: string, name: string): string =>
  `${kind} ${name} appears in package that is being upgraded, but does not appear in the upgrading package.`

function describe({ templates }: Module, name: string): string {
  if (templates.has(name)) return `template ${name}`
  for (const template of templates.values()) {
    if (template.choices.has(name)) return `input type of choice ${name} on template ${template.id.entity}`
  }
  return `data type ${name}`
}

function templateProblem(older: Template, newer: Template, same: Same): string | undefined {
  const { entity } = newer.id
  for (const [name, choice] of older.choices) {
    const upgraded = newer.choices.get(name)
    if (!upgraded) return missing('Choice', name)
    const problem = choiceProblem(choice, upgraded, same)
    if (problem) return problem
  }
  if (older.key && !newer.key) return `The upgraded template ${entity} has removed its key.`
  if (!older.key && newer.key)
    return `The upgraded template ${entity} has added a key where it didn't have one previously.`
  if (older.key && newer.key && !same(older.key.type, newer.key.type)) {
    return `The upgraded template ${entity} has changed the type of its key.`
  }
  const kept = (id: Template['id']): boolean =>
    newer.implements.some((instance) => same(typeOf(instance.interface), typeOf(id)))
  const lost = older.implements.find((instance) => !kept(instance.interface))
  return (
    lost &&
    `Implementation of interface ${lost.interface.entity} by template ${entity} is missing in the upgrading package.`
  )
}

const typeOf = (id: Template['id']): Type => ({ kind: 'con', id, args: [] })

function choiceProblem(older: Choice, newer: Choice, same: Same): string | undefined {
  if (!same(older.argument.type, newer.argument.type))
    return `The upgraded choice ${older.name} has changed its argument type.`
  if (!same(older.result, newer.result)) return `The upgraded choice ${older.name} has changed its return type.`
  return undefined
}

function dataProblem(subject: string, older: DataType, newer: DataType, same: Same): string | undefined {
  if (older.kind === 'record' && newer.kind === 'record')
    return fieldsProblem(subject, older.fields, newer.fields, same)
  if (older.kind === 'variant' && newer.kind === 'variant') {
    return constructorsProblem(subject, older.constructors, newer.constructors, same)
  }
  if (older.kind === 'enum' && newer.kind === 'enum') {
    const kept = older.constructors.every((name, index) => newer.constructors[index] === name)
    return kept ? undefined : `The upgraded ${subject} has changed or reordered its original constructors.`
  }
  return older.kind === newer.kind
    ? undefined
    : `The upgraded ${subject} has changed from a ${older.kind} to a ${newer.kind}.`
}

function fieldsProblem(
  subject: string,
  older: readonly FieldType[],
  newer: readonly FieldType[],
  same: Same,
): string | undefined {
  for (const [index, [label, type]] of older.entries()) {
    const field = newer[index]
    if (field?.[0] !== label) return `The upgraded ${subject} is missing some of its original fields.`
    if (!same(type, field[1])) return `The upgraded ${subject} has changed the types of some of its original fields.`
  }
  const isOptional = (type: Type): boolean => type.kind === 'builtin' && type.name === 'Optional'
  if (newer.slice(older.length).every(([, type]) => isOptional(type))) return undefined
  return `The upgraded ${subject} has added new fields, but some of those fields are not Optional.`
}

function constructorsProblem(
  subject: string,
  older: readonly FieldType[],
  newer: readonly FieldType[],
  same: Same,
): string | undefined {
  for (const [index, [name, type]] of older.entries()) {
    const constructorThere = newer[index]
    if (constructorThere?.[0] !== name) return `The upgraded ${subject} has changed or reordered its original variants.`
    if (!same(type, constructorThere[1]))
      return `The upgraded ${subject} has changed the type of some of its original variants.`
  }
  return undefined
}
