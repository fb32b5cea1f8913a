import { constantFrom } from 'fast-check'
import type { Data } from '../../record/types/resolved-row.js'
import { type DraftContext, variable } from './draft-step.js'
import { chance, weighted } from './draw.js'
import type { KnownContract } from './known-ledger.js'
import type { Template } from './templates.js'
import { recordOf, type ValueContext } from './values.js'

interface Command {
  command: Data
  actors: readonly string[]
  about: string
}

function valueContextOf({ ledger, parties, number }: DraftContext): ValueContext {
  return {
    parties,
    contracts: (entities) =>
      ledger.contracts
        .filter(({ template }) => entities.length === 0 || entities.includes(template.entity))
        .map(({ name }) => name),
    tag: `t${number()}`,
  }
}

export interface Commands {
  commands: Data[]
  actAs: string[]
  about: string
}

/** `among`: the only parties of the commands. */
export function commandsOf(context: DraftContext, among: readonly string[] = context.parties): Commands {
  const { draw } = context
  const count = draw(weighted([8, 1], [2, 2], [1, 3]))
  const made = Array.from({ length: count }, () => commandOf({ ...context, parties: among }))
  const needed = [...new Set(made.flatMap(({ actors }) => actors))]
  const other = draw(constantFrom(...among))
  const actAs = weighted(
    [14, needed],
    [1, [...new Set([...needed, other])]],
    [1, [other]],
    [0.3, [...needed, ...needed]],
  )
  return {
    commands: made.map(({ command }) => command),
    actAs: draw(actAs),
    about: made.map(({ about }) => about).join(', '),
  }
}

function commandOf(context: DraftContext): Command {
  const { draw, ledger, parties } = context
  const isSeen = (stakeholders: readonly string[]): boolean => stakeholders.some((party) => parties.includes(party))
  const usable = ledger.contracts.filter(
    ({ isActive, stakeholders }) => (isActive || draw(chance(10))) && (isSeen(stakeholders) || draw(chance(10))),
  )
  const keyed = usable.filter(({ template }) => template.key)
  const make = draw(
    weighted<() => Command>(
      [4, () => create(context)],
      [2, () => createAndExercise(context)],
      [usable.length > 0 ? 5 : 0, () => exercise(context, draw(constantFrom(...usable)))],
      [keyed.length > 0 ? 2 : 0, () => exerciseByKey(context, draw(constantFrom(...keyed)))],
    ),
  )
  return make()
}

interface NewContract {
  template: Template
  fields: Record<string, Data>
  signers: string[]
}

function newContract(context: DraftContext): NewContract {
  const { draw, templates } = context
  const template = draw(constantFrom(...templates))
  const fields = draw(recordOf(template.fields, valueContextOf(context)))
  return { template, fields, signers: partiesIn(template.signatories, fields) }
}

function create(context: DraftContext): Command {
  const { template, fields, signers } = newContract(context)
  return {
    command: { CreateCommand: { templateId: nameOf(template.id, context), createArguments: fields } },
    actors: signers,
    about: `create ${template.entity}`,
  }
}

function createAndExercise(context: DraftContext): Command {
  const { template, fields, signers } = newContract(context)
  const { choice, choiceArgument, actors } = choiceOf(template, fields, context)
  const templateId = nameOf(template.id, context)
  return {
    command: { CreateAndExerciseCommand: { templateId, createArguments: fields, choice, choiceArgument } },
    actors: [...new Set([...signers, ...actors])],
    about: `create ${template.entity} and ${choice}`,
  }
}

function exercise(context: DraftContext, { template, name, fields }: KnownContract): Command {
  const { choice, choiceArgument, actors, of } = choiceOf(template, fields, context)
  const contractId = context.draw(
    weighted<Data>([20, variable(name)], [0.4, { '$flip-digit': variable(name) }], [0.1, 'nothing']),
  )
  const templateId = nameOf(of ?? template.id, context)
  return {
    command: { ExerciseCommand: { templateId, contractId, choice, choiceArgument } },
    actors,
    about: `${choice} of ${name}`,
  }
}

function exerciseByKey(context: DraftContext, { template, name, fields }: KnownContract): Command {
  const { choice, choiceArgument, actors } = choiceOf(template, fields, context)
  const contractKey = Object.fromEntries((template.key ?? []).map((field) => [field, fields[field] ?? null]))
  if (context.draw(chance(10))) contractKey['id'] = 'no such key'
  const templateId = nameOf(template.id, context)
  return {
    command: { ExerciseByKeyCommand: { templateId, contractKey, choice, choiceArgument } },
    actors,
    about: `${choice} of ${name} by key`,
  }
}

interface DrawnChoice {
  choice: string
  choiceArgument: Data
  actors: string[]
  /** The interface of the choice. */
  of: string | undefined
}

function choiceOf(template: Template, fields: Readonly<Record<string, Data>>, context: DraftContext): DrawnChoice {
  const { draw } = context
  const [choice, { arguments: types, by, of }] = draw(constantFrom(...Object.entries(template.choices)))
  const choiceArgument = draw(recordOf(types, valueContextOf(context)))
  return {
    choice: draw(chance(1.5)) ? 'NoSuchChoice' : choice,
    choiceArgument,
    actors: partiesIn(by, fields, choiceArgument),
    of,
  }
}

/** A field with `=` is one of the argument, otherwise of the contract. */
function partiesIn(
  places: readonly string[],
  fields: Readonly<Record<string, Data>>,
  given: Readonly<Record<string, Data>> = {},
): string[] {
  const values = places.map((place) => (place.startsWith('=') ? given[place.slice(1)] : fields[place]))
  const names = values.flatMap((value) =>
    typeof value === 'string' ? (/^\$\{([a-z]+)\}$/.exec(value)?.[1] ?? []) : [],
  )
  return [...new Set(names)]
}

function nameOf(id: string, { draw }: DraftContext): string {
  const [packageName = '', module = '', entity = ''] = id.split(':')
  return draw(
    weighted(
      [60, id],
      [0.3, `${packageName}:${module}:NoSuchTemplate`],
      [0.3, `#no-such-package:${module}:${entity}`],
      [0.1, `${module}:${entity}`],
    ),
  )
}
