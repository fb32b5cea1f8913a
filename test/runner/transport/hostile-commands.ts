/** Random well-formed commands on every described template and choice. */

import type { ChoiceSchema, DamlType, TemplateSchema } from '../../../daml/schema/schema.js'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import { encodeDaml } from '../../../simulator/json/daml-encode.js'
import { anyValue } from '../../support/ledgers/any-daml-value.js'
import { usablePackages } from '../../support/ledgers/ledger-environment.js'
import fc from '../../support/records/properties.js'

/** JSON of a value of the type, mostly with existing parties and contracts. */
function jsonOf(type: DamlType, parties: readonly string[], contracts: readonly string[]): fc.Arbitrary<JsonValue> {
  const real = (json: JsonValue): JsonValue => json
  if (type.type === 'party') return fc.constantFrom(...parties).map(real)
  if (type.type === 'contractId') return fc.constantFrom(...contracts).map(real)
  if (type.type === 'list' || type.type === 'optional') {
    const inner = jsonOf(type.of, parties, contracts)
    if (type.type === 'list') return fc.uniqueArray(inner, { maxLength: 3 })
    return type.of.type === 'optional' ? fc.constantFrom<JsonValue>([], [[]]) : fc.option(inner)
  }
  if (type.type === 'record') {
    return fc.record(Object.fromEntries(type.fields.map(([label, of]) => [label, jsonOf(of, parties, contracts)])))
  }
  return anyJsonOf(type)
}

/** fast-check needs milliseconds to prepare an arbitrary string. */
const cache = new Map<string, fc.Arbitrary<JsonValue>>()

function anyJsonOf(type: DamlType): fc.Arbitrary<JsonValue> {
  const name = JSON.stringify(type)
  const found = cache.get(name) ?? anyValue(type).map((value) => encodeDaml(type, value))
  cache.set(name, found)
  return found
}

interface Exercisable {
  /** Of the template, or of an interface that it implements. */
  id: TemplateSchema['id']
  template: TemplateSchema
  choice: ChoiceSchema
}

export const templates = usablePackages.flatMap((item) => item.templates)
const exercisable: Exercisable[] = templates.flatMap((template) => [
  ...template.choices.map((choice) => ({ id: template.id, template, choice })),
  ...template.implements.flatMap(({ id, choices }) => choices.map((choice) => ({ id, template, choice }))),
])

export const printed = ({ packageId, module, entity }: TemplateSchema['id']): string =>
  `${packageId}:${module}:${entity}`

function reference(id: TemplateSchema['id']): fc.Arbitrary<string> {
  const name = usablePackages.find((item) => item.id === id.packageId)?.name
  return fc.constantFrom(printed(id), `#${name}:${id.module}:${id.entity}`)
}

export function commandFor(parties: readonly string[], contracts: readonly string[]): fc.Arbitrary<JsonObject> {
  const inner = (type: DamlType) => jsonOf(type, parties, contracts)
  const creates = templates.map(({ id, argument }) =>
    fc.record({ CreateCommand: fc.record({ templateId: reference(id), createArguments: inner(argument) }) }),
  )
  const exercises = exercisable.flatMap(({ id, template, choice }) => {
    const rest = { templateId: reference(id), choice: fc.constant(choice.name), choiceArgument: inner(choice.argument) }
    const contractId = fc.constantFrom(...contracts)
    const createArguments = inner(template.argument)
    const byKey = template.key && { ...rest, contractKey: inner(template.key) }
    return [
      fc.record({ ExerciseCommand: fc.record({ ...rest, contractId }) }),
      fc.record({ CreateAndExerciseCommand: fc.record({ ...rest, createArguments }) }),
      ...(byKey ? [fc.record({ ExerciseByKeyCommand: fc.record(byKey) })] : []),
    ]
  })
  return fc.oneof(fc.oneof(...creates), fc.oneof(...exercises))
}
