/** Runs choices of the model without a ledger. */
import { type DamlIdentifier, type DamlRecord, type DamlValue, printIdentifier } from '../interface/daml-value.js'
import type { JsonValue } from '../interface/json.js'
import type { Choice, ChoiceContext, DamlPackage, RecordType, Template } from '../model/description.js'
import { packages } from '../model/packages.js'
import { decodeDaml } from '../simulator/json/daml-decode.js'
import { encodeDaml } from '../simulator/json/daml-encode.js'

export function packageOf(name: string, version?: string): DamlPackage {
  const found = packages.find((item) => item.name === name && (version ?? item.version) === item.version)
  if (!found) throw new Error(`no package ${name} ${version ?? ''}`)
  return found
}

export function templateOf(entity: string, version?: string): Template {
  const all = packages.filter((item) => version === undefined || item.version === version)
  const found = all.flatMap(({ templates }) => templates).find(({ id }) => id.entity === entity)
  if (!found) throw new Error(`no template ${entity}`)
  return found
}

export const recordOf = (type: RecordType, json: JsonValue): DamlRecord => {
  const value = decodeDaml(type, json)
  if (value.kind !== 'record') throw new Error('a record type decodes to a record')
  return value
}

/** A contract of the template, given as JSON. */
export const contractOf = (template: Template, json: JsonValue): DamlRecord => recordOf(template.argument, json)

type Failure = Parameters<ChoiceContext['fail']>[0]

class Failed extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** What a choice body did, in the order in which it did it, and what it returned. */
export interface Effects {
  acts: [what: string, id: string, argument: JsonValue][]
  result: JsonValue
}

/** A context over the given contracts; new contracts are called `created-1` and so on. */
export function contextOver(contracts: Record<string, DamlRecord>, acts: Effects['acts']): ChoiceContext {
  let count = 0
  const named = (id: DamlIdentifier): Template => {
    const found = packages.flatMap(({ templates }) => templates).find((item) => sameId(item.id, id))
    if (!found) throw new Error(`no template ${printIdentifier(id)}`)
    return found
  }
  return {
    self: 'self',
    now: () => 1_893_456_000_000_000n,
    create: (id, argument) => {
      acts.push(['create', id.entity, encodeDaml(named(id).argument, argument)])
      count += 1
      return `created-${count}`
    },
    fetch: (_id, contractId) => {
      const found = contracts[contractId]
      if (!found) throw new Error(`no contract ${contractId}`)
      return found
    },
    exercise: (id, contractId, choice, argument) => {
      acts.push([`exercise ${choice}`, contractId, encodeDaml(choiceOf(named(id), choice).argument, argument)])
      return { kind: 'unit' }
    },
    fail: (failure) => {
      throw new Failed(failure)
    },
  }
}

const sameId = (a: DamlIdentifier, b: DamlIdentifier): boolean => printIdentifier(a) === printIdentifier(b)

function choiceOf(template: Template, name: string): Choice {
  const found = template.choices.find((choice) => choice.name === name)
  if (!found) throw new Error(`${template.id.entity} has no choice ${name}`)
  return found
}

export function exercise(
  template: Template,
  contract: JsonValue,
  name: string,
  argument: JsonValue,
  contracts: Record<string, DamlRecord> = {},
): Effects & { controllers: string[]; consuming: boolean } {
  const choice = choiceOf(template, name)
  const payload = contractOf(template, contract)
  const given = recordOf(choice.argument, argument)
  const acts: Effects['acts'] = []
  const result: DamlValue = choice.body?.(payload, given, contextOver(contracts, acts)) ?? { kind: 'unit' }
  return {
    controllers: choice.controllers(payload, given),
    consuming: choice.consuming,
    acts,
    result: encodeDaml(choice.result, result),
  }
}

export function failureOf(run: () => unknown): Failure | undefined {
  try {
    run()
  } catch (error) {
    if (error instanceof Failed) return error.failure
    throw error
  }
  return undefined
}
