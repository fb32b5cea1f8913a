import type { Data } from '../../record/types/resolved-row.js'
import { bodyMembers, type Step } from '../send/step.js'
import { type DraftContext, type DraftStep, stepOf, unique, updateFormatFor, variable } from './draft-step.js'
import type { KnownContract } from './known-ledger.js'
import { readUpdate } from './lookups.js'
import type { Template } from './templates.js'
import { recordOf, type ValueContext } from './values.js'

interface Command {
  command: Data
  actors: readonly string[]
  about: string
}

type Submission = Record<string, Data>

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

/** `among`: the only parties of the commands. */
export function commandsOf(
  context: DraftContext,
  among: readonly string[] = context.parties,
): { commands: Data[]; actAs: string[]; about: string } {
  const { random } = context
  const count = random.weighted([8, 1], [2, 2], [1, 3])
  const made = Array.from({ length: count }, () => commandOf({ ...context, parties: among }))
  const needed = [...new Set(made.flatMap(({ actors }) => actors))]
  const actAs = random.weighted(
    [14, needed],
    [1, [...new Set([...needed, random.pick(among)])]],
    [1, [random.pick(among)]],
    [0.3, [...needed, ...needed]],
  )
  return { commands: made.map(({ command }) => command), actAs, about: made.map(({ about }) => about).join(', ') }
}

function commandOf(context: DraftContext): Command {
  const { random, ledger, parties } = context
  const isSeen = (stakeholders: readonly string[]): boolean => stakeholders.some((party) => parties.includes(party))
  const usable = ledger.contracts.filter(
    ({ isActive, stakeholders }) => (isActive || random.chance(0.1)) && (isSeen(stakeholders) || random.chance(0.1)),
  )
  const keyed = usable.filter(({ template }) => template.key)
  const make = random.weighted<() => Command>(
    [4, () => create(context)],
    [2, () => createAndExercise(context)],
    [usable.length > 0 ? 5 : 0, () => exercise(context, random.pick(usable))],
    [keyed.length > 0 ? 2 : 0, () => exerciseByKey(context, random.pick(keyed))],
  )
  return make()
}

function newContract(context: DraftContext): { template: Template; fields: Record<string, Data>; signers: string[] } {
  const { random, templates } = context
  const template = random.pick(templates)
  const fields = recordOf(template.fields, random, valueContextOf(context))
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
  const { random } = context
  const { choice, choiceArgument, actors, of } = choiceOf(template, fields, context)
  const contractId = random.weighted<Data>(
    [20, variable(name)],
    [0.4, { '$flip-digit': variable(name) }],
    [0.1, 'nothing'],
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
  if (context.random.chance(0.1)) contractKey['id'] = 'no such key'
  const templateId = nameOf(template.id, context)
  return {
    command: { ExerciseByKeyCommand: { templateId, contractKey, choice, choiceArgument } },
    actors,
    about: `${choice} of ${name} by key`,
  }
}

function choiceOf(
  template: Template,
  fields: Readonly<Record<string, Data>>,
  context: DraftContext,
): { choice: string; choiceArgument: Data; actors: string[]; of: string | undefined } {
  const { random } = context
  const [choice, { arguments: types, by, of }] = random.pick(Object.entries(template.choices))
  const choiceArgument = recordOf(types, random, valueContextOf(context))
  const isUnknown = random.chance(0.015)
  const actors = partiesIn(by, fields, choiceArgument)
  return { choice: isUnknown ? 'NoSuchChoice' : choice, choiceArgument, actors, of }
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

function nameOf(id: string, { random }: DraftContext): string {
  const [packageName = '', module = '', entity = ''] = id.split(':')
  return random.weighted(
    [60, id],
    [0.3, `${packageName}:${module}:NoSuchTemplate`],
    [0.3, `#no-such-package:${module}:${entity}`],
    [0.1, `${module}:${entity}`],
  )
}

const durations: readonly Data[] = [
  { DeduplicationDuration: { value: { seconds: 3600, nanos: 0 } } },
  { DeduplicationDuration: { value: { seconds: 864001, nanos: 0 } } },
  { DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } },
  { DeduplicationOffset: { value: 0 } },
  { DeduplicationOffset: { value: -1 } },
  { DeduplicationOffset: { value: variable('begin') } },
  { Empty: {} },
]

function optionsOf(context: DraftContext): Submission {
  const { random, parties, ledger, number, hasOtherSynchronizer } = context
  const disclosable = ledger.contracts.filter(({ hasBlob }) => hasBlob)
  const options: [probability: number, name: string, make: () => Data][] = [
    [0.35, 'submissionId', () => unique(`sub-${number()}`)],
    [0.1, 'workflowId', () => random.pick(['flow', 'flow/1 #2', 'bad!', ''])],
    [0.25, 'readAs', () => random.some(parties, 0.5).map(variable)],
    [0.2, 'deduplicationPeriod', () => random.pick(durations)],
    [
      0.05,
      'minLedgerTimeAbs',
      () => random.pick(['2020-01-01T00:00:00Z', '2020-01-01T01:00:00+01:00', '0001-01-01T00:00:00Z', 'never']),
    ],
    [0.05, 'minLedgerTimeRel', () => random.pick<Data>([{ seconds: 0, nanos: 0 }, { seconds: -5, nanos: 0 }, {}])],
    [disclosable.length > 0 ? 0.15 : 0, 'disclosedContracts', () => disclosuresOf(context, disclosable)],
    [
      0.1,
      'synchronizerId',
      () =>
        random.pick([
          variable('synchronizerId'),
          '',
          'x::1220',
          hasOtherSynchronizer ? variable('otherSynchronizerId') : 'nothing',
        ]),
    ],
    [0.06, 'packageIdSelectionPreference', () => random.some(preferences, 0.3)],
    [0.03, 'prefetchContractKeys', () => prefetchOf(context)],
    [0.06, 'tapsMaxPasses', () => random.pick([1, 2, 3, 100, 0, -1])],
  ]
  return Object.fromEntries(
    options.flatMap(([probability, name, make]) => (random.chance(probability) ? [[name, make()]] : [])),
  )
}

const preferences: readonly string[] = [
  'a48fb23da26f027e79f2461e63672d9ddf2e97deff43a50e101a680054f75652',
  '35221337ab853679a452d1a369f9013568c9b5c7d8b551a84bcd887bb8a32718',
  '7dd7c48a460e68836b6975ea4681466d3deb42d2fb463ce3667b29abc0150772',
  '0'.repeat(64),
]

function disclosuresOf({ random }: DraftContext, disclosable: readonly KnownContract[]): Data {
  const chosen = random.shuffled(disclosable).slice(0, 1 + random.below(2))
  return chosen.map(({ name }) => ({
    createdEventBlob: random.weighted<Data>(
      [12, variable(`${name}.blob`)],
      [1, { $damage: variable(`${name}.blob`), how: 'flip-last' }],
      [0.5, ''],
    ),
    templateId: random.weighted<Data>([12, variable(`${name}.template`)], [1, '']),
    contractId: random.weighted<Data>([12, variable(name)], [1, { '$flip-digit': variable(name) }], [1, '']),
    synchronizerId: random.weighted<Data>([8, variable('synchronizerId')], [2, ''], [0.5, 'x::1220']),
  }))
}

function prefetchOf({ random, ledger }: DraftContext): Data {
  const keyed = ledger.contracts.filter(({ template }) => template.key)
  return random.some(keyed, 0.5).map(({ name, fields }) => ({
    templateId: variable(`${name}.template`),
    contractKey: { owner: fields['owner'] ?? null, id: fields['id'] ?? null },
  }))
}

export function submit(context: DraftContext): DraftStep {
  const { number, hasTokens, random } = context
  const { commands, actAs, about } = commandsOf(context)
  const body: Submission = {
    commands,
    commandId: unique(`cmd-${number()}`),
    actAs: actAs.map(variable),
    ...((!hasTokens || random.chance(0.7)) && { userId: variable('user') }),
    ...optionsOf(context),
  }
  return submitted(context, stepOf({ about, operation: 'submit-and-wait', body }))
}

function submitted(context: DraftContext, step: Step): DraftStep {
  const { number, enqueue, ledger, parties, random } = context
  const update = `u${number()}`
  return {
    step,
    onAnswer: (answer) => {
      if (answer === undefined) return undefined
      const some = random.chance(0.75) ? parties : random.some(parties, 0.5)
      const readers = some.length > 0 ? some : parties
      const updateFormat = updateFormatFor(readers, true, random.chance(0.25) ? 'ACS_DELTA' : 'LEDGER_EFFECTS')
      enqueue({
        step: readUpdate(`read the update as ${readers.join(', ')}`, update, updateFormat),
        onAnswer: (read) => ledger.observe(read, '/update/Transaction/value/events'),
      })
      return { [update]: '/updateId', [`${update}.offset`]: '/completionOffset' }
    },
  }
}

/** Repeats a submission with at most one change. */
export function repeat(context: DraftContext, earlier: Step): DraftStep {
  const { random, parties, number } = context
  const old: Submission = bodyMembers(earlier)
  const actAs = Array.isArray(old['actAs']) ? old['actAs'] : []
  const change = random.pick<() => Submission>([
    () => ({}),
    () => ({ commandId: unique(`cmd-${number()}`) }),
    () => ({ actAs: [...actAs].reverse() }),
    () => ({ actAs: [...actAs, ...actAs] }),
    () => ({ actAs: [...new Set([...actAs, variable(random.pick(parties))])] }),
    () => ({ actAs: actAs.slice(0, 1) }),
    () => ({ submissionId: unique(`sub-${number()}`), workflowId: 'other' }),
    () => ({ userId: unique('other') }),
    () => ({ deduplicationPeriod: random.pick(durations) }),
    () => ({ commands: commandsOf(context).commands }),
    () => ({ readAs: [variable(random.pick(parties))] }),
  ])()
  const changes = Object.keys(change)
  const step = stepOf({
    about: `repeat: ${earlier.about}, ${changes.length > 0 ? `other ${changes.join(' and ')}` : 'unchanged'}`,
    operation: 'submit-and-wait',
    actor: earlier.actor,
    body: { ...old, ...change },
  })
  // Reveals deduplication that ends early.
  return submitted(context, random.chance(0.05) ? { ...step, after: 1500 } : step)
}
