/** Exercises choices without a ledger. */
import type { Effects as UpdateEffects } from '../../../daml/machine/evaluator.js'
import { evaluate, perform, run } from '../../../daml/machine/frames.js'
import { Machine } from '../../../daml/machine/machine.js'
import { Environment, type Task, unit, type Value } from '../../../daml/machine/values.js'
import { exportValue, importValue } from '../../../daml/schema/conversion.js'
import type { DamlType, RecordType, TemplateSchema } from '../../../daml/schema/schema.js'
import type { DamlRecord } from '../../../interface/daml-value.js'
import type { JsonValue } from '../../../lib/json/json.js'
import { decodeDaml } from '../../../simulator/json/daml-decode.js'
import { encodeDaml } from '../../../simulator/json/daml-encode.js'
import { partiesIn } from '../../../simulator/ledger/contracts/contract.js'
import { modelStore } from '../ledgers/model-packages.js'

const { program, types } = modelStore

export const recordOf = (type: RecordType, json: JsonValue): DamlRecord => {
  const value = decodeDaml(type, json)
  if (value.kind !== 'record') throw new Error('a record type decodes to a record')
  return value
}

export const contractOf = (template: TemplateSchema, json: JsonValue): DamlRecord => recordOf(template.argument, json)

/** In order, with the result. */
export interface Effects {
  acts: [what: string, id: string, argument: JsonValue][]
  result: JsonValue
}

const shown = (value: Value, type: DamlType): JsonValue =>
  encodeDaml(
    type,
    exportValue(value, type, () => undefined),
  )

const unexpected = (what: string) => (): never => {
  throw new Error(`no choice of the model ${what} here`)
}

/** New contracts are `created-1` and so on. */
function effectsOver(contracts: Record<string, DamlRecord>, acts: Effects['acts']): UpdateEffects {
  let count = 0
  return {
    *create(id, argument): Task {
      acts.push(['create', id.entity, shown(argument, types.record(id))])
      count += 1
      yield* nothing()
      return `created-${count}`
    },
    *fetch(id, contractId): Task {
      const found = contracts[contractId]
      if (!found) throw new Error(`no contract ${contractId}`)
      yield* nothing()
      return importValue(found, types.record(id), program)
    },
    *exercise(id, contractId, choice, argument): Task {
      const type = types.of(program.choice(program.template(id), choice).argument.type)
      acts.push([`exercise ${choice}`, contractId, shown(argument, type)])
      yield* nothing()
      return unit
    },
    getTime: () => 1_893_456_000_000_000n,
    isBefore: unexpected('compares times'),
    exerciseInterface: unexpected('exercises interfaces'),
    exerciseByKey: unexpected('exercises by key'),
    fetchInterface: unexpected('fetches interfaces'),
    fetchByKey: unexpected('fetches by key'),
    queryByKey: unexpected('queries'),
    beginTry: unexpected('catches exceptions'),
    endTry: unexpected('catches exceptions'),
    rollBack: unexpected('catches exceptions'),
    upgradeContract: unexpected('casts'),
    isVersionOf: unexpected('casts'),
    notImplemented: unexpected('casts'),
  }
}

function* nothing(): Generator<never, void, Value> {
  // A task without requests.
}

export function exercise(
  template: TemplateSchema,
  contract: JsonValue,
  name: string,
  argument: JsonValue,
  contracts: Record<string, DamlRecord> = {},
): Effects & { controllers: string[]; consuming: boolean } {
  const definition = program.template(template.id)
  const choice = program.choice(definition, name)
  const acts: Effects['acts'] = []
  const payload = importValue(contractOf(template, contract), template.argument, program)
  const argumentType = types.recordOf(choice.argument.type)
  const given = importValue(recordOf(argumentType, argument), argumentType, program)
  const environment = new Environment(
    choice.argument.name,
    given,
    new Environment(choice.self, 'self', new Environment(definition.param, payload, undefined)),
  )
  const machine = () => new Machine(program, effectsOver(contracts, acts))
  const controllers = partiesIn(machine().complete(evaluate(choice.controllers, environment)))
  function* body(): Task {
    return yield run(yield evaluate(choice.update, environment))
  }
  const result = shown(machine().complete(perform(body())), types.of(choice.result))
  return { controllers, consuming: choice.consuming, acts, result }
}
