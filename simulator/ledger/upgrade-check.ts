import type { DamlPackage, DamlType, Template } from '../../model/description.js'

/** Why a package cannot be an upgrade of an older one with its name; undefined when it can. */
export function upgradeProblem(older: DamlPackage, newer: DamlPackage): string | undefined {
  for (const template of older.templates) {
    const upgraded = newer.templates.find(
      ({ id }) => id.module === template.id.module && id.entity === template.id.entity,
    )
    if (!upgraded)
      return `Template ${template.id.entity} appears in package that is being upgraded, but does not appear in the upgrading package.`
    const problem = templateProblem(template, upgraded)
    if (problem) return problem
  }
  return undefined
}

function templateProblem(older: Template, newer: Template): string | undefined {
  const name = newer.id.entity
  const fields = newer.argument.fields
  for (const [index, [label, type]] of older.argument.fields.entries()) {
    const field = fields[index]
    if (field?.[0] !== label) return `The upgraded template ${name} is missing some of its original fields.`
    if (shape(field[1]) !== shape(type)) {
      return `The upgraded template ${name} has changed the types of some of its original fields.`
    }
  }
  const added = fields.slice(older.argument.fields.length)
  if (added.some(([, type]) => type.type !== 'optional')) {
    return `The upgraded template ${name} has added new fields, but some of those fields are not Optional.`
  }
  return undefined
}

/** A type without the package ids in it: the same type may come from two versions of a package. */
const shape = (type: DamlType): string =>
  JSON.stringify(type, (key, value: unknown) => (key === 'packageId' ? undefined : value))
