/** Submissions of commands: new ones over what is known of the ledger, and earlier ones once more. */

import type { JsonValue } from '../../lib/json/json.js'
import type { Data } from '../../record/types/resolved-row.js'
import { bodyOfTurn, type Turn } from '../send/step.js'
import { type Drafted, type Drafting, formatFor, turnOf } from './draft-step.js'
import type { KnownContract } from './known-ledger.js'
import type { Template } from './templates.js'
import { recordOf, type Surroundings } from './values.js'
import { unique, variable } from './variable.js'

interface Command {
  command: Data
  /** Those without whom it would not be authorized. */
  actors: readonly string[]
  about: string
}

/** The members of the body. */
export type Submission = Record<string, Data>

export function surroundingsOf({ ledger, parties, number }: Drafting): Surroundings {
  return {
    parties,
    contracts: (entities) =>
      ledger.contracts
        .filter(({ template }) => entities.length === 0 || entities.includes(template.entity))
        .map(({ name }) => name),
    tag: `t${number()}`,
  }
}

/** One to three commands, as whoever they need, mostly. */
export function commandsOf(
  drafting: Drafting,
  among: readonly string[] = drafting.parties,
): { commands: Data[]; actAs: string[]; about: string } {
  const { random } = drafting
  const count = random.weighted([
    [8, 1],
    [2, 2],
    [1, 3],
  ])
  const made = Array.from({ length: count }, () => commandOf(drafting, among))
  const needed = [...new Set(made.flatMap(({ actors }) => actors))]
  const actAs = random.weighted([
    [14, needed],
    [1, [...new Set([...needed, random.pick(among)])]],
    [1, [random.pick(among)]],
    [0.3, [...needed, ...needed]],
  ])
  return { commands: made.map(({ command }) => command), actAs, about: made.map(({ about }) => about).join(', ') }
}

function commandOf(drafting: Drafting, among: readonly string[]): Command {
  const { random, ledger } = drafting
  const isSeen = (stakeholders: readonly string[]): boolean => stakeholders.some((party) => among.includes(party))
  const usable = ledger.contracts.filter(
    ({ isActive, stakeholders }) => (isActive || random.chance(0.1)) && (isSeen(stakeholders) || random.chance(0.1)),
  )
  const keyed = usable.filter(({ template }) => template.key)
  const make = random.weighted<() => Command>([
    [4, () => create(drafting, among)],
    [2, () => createAndExercise(drafting, among)],
    [usable.length > 0 ? 5 : 0, () => exercise({ ...drafting, parties: among }, random.pick(usable))],
    [keyed.length > 0 ? 2 : 0, () => exerciseByKey({ ...drafting, parties: among }, random.pick(keyed))],
  ])
  return make()
}

function newContract(
  drafting: Drafting,
  among: readonly string[],
): { template: Template; fields: Record<string, Data>; by: string[] } {
  const { random, templates } = drafting
  const template = random.pick(templates)
  const fields = recordOf(template.fields, random, { ...surroundingsOf(drafting), parties: among })
  // One who signs several times makes for more that succeeds.
  return { template, fields, by: partiesIn(template.signatories, fields) }
}

function create(drafting: Drafting, among: readonly string[]): Command {
  const { template, fields, by } = newContract(drafting, among)
  return {
    command: { CreateCommand: { templateId: nameOf(template.id, drafting), createArguments: fields } },
    actors: by,
    about: `create ${template.entity}`,
  }
}

function createAndExercise(drafting: Drafting, among: readonly string[]): Command {
  const { template, fields, by } = newContract(drafting, among)
  const { choice, given, actors } = choiceOf(template, fields, { ...drafting, parties: among })
  return {
    command: {
      CreateAndExerciseCommand: {
        templateId: nameOf(template.id, drafting),
        createArguments: fields,
        choice,
        choiceArgument: given,
      },
    },
    actors: [...new Set([...by, ...actors])],
    about: `create ${template.entity} and ${choice}`,
  }
}

function exercise(drafting: Drafting, { template, name, fields }: KnownContract): Command {
  const { random } = drafting
  const { choice, given, actors, of } = choiceOf(template, fields, drafting)
  const id = random.weighted<Data>([
    [20, variable(name)],
    [0.4, { '$flip-digit': variable(name) }],
    [0.1, 'nothing'],
  ])
  return {
    command: {
      ExerciseCommand: {
        templateId: nameOf(of ?? template.id, drafting),
        contractId: id,
        choice,
        choiceArgument: given,
      },
    },
    actors,
    about: `${choice} of ${name}`,
  }
}

function exerciseByKey(drafting: Drafting, { template, name, fields }: KnownContract): Command {
  const { random } = drafting
  const { choice, given, actors } = choiceOf(template, fields, drafting)
  const key = Object.fromEntries((template.key ?? []).map((field) => [field, fields[field] ?? null]))
  if (random.chance(0.1)) key['id'] = 'no such key'
  return {
    command: {
      ExerciseByKeyCommand: {
        templateId: nameOf(template.id, drafting),
        contractKey: key,
        choice,
        choiceArgument: given,
      },
    },
    actors,
    about: `${choice} of ${name} by key`,
  }
}

function choiceOf(
  template: Template,
  fields: Readonly<Record<string, Data>>,
  drafting: Drafting,
): { choice: string; given: Data; actors: string[]; of: string | undefined } {
  const { random } = drafting
  const [choice, { arguments: wanted, by, of }] = random.pick(Object.entries(template.choices))
  const given = recordOf(wanted, random, surroundingsOf(drafting))
  const isMistaken = random.chance(0.015)
  return { choice: isMistaken ? 'NoSuchChoice' : choice, given, actors: partiesIn(by, fields, given), of }
}

/** The parties in these fields, by name. */
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

function nameOf(id: string, { random }: Drafting): string {
  const [packageName = '', module = '', entity = ''] = id.split(':')
  return random.weighted([
    [60, id],
    [0.3, `${packageName}:${module}:NoSuchTemplate`],
    [0.3, `#no-such-package:${module}:${entity}`],
    [0.1, `${module}:${entity}`],
  ])
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

/** Members that a submission need not have. */
function optionsOf(drafting: Drafting): Submission {
  const { random, parties, ledger, number, hasOtherSynchronizer } = drafting
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
    [disclosable.length > 0 ? 0.15 : 0, 'disclosedContracts', () => disclosuresOf(drafting, disclosable)],
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
    [0.03, 'prefetchContractKeys', () => prefetchOf(drafting)],
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

function disclosuresOf({ random }: Drafting, disclosable: readonly KnownContract[]): Data {
  const chosen = random.shuffled(disclosable).slice(0, 1 + random.below(2))
  return chosen.map(({ name }) => ({
    createdEventBlob: random.weighted<Data>([
      [12, variable(`${name}.blob`)],
      [1, { $damage: variable(`${name}.blob`), how: 'flip-last' }],
      [0.5, ''],
    ]),
    templateId: random.weighted<Data>([
      [12, variable(`${name}.template`)],
      [1, ''],
    ]),
    contractId: random.weighted<Data>([
      [12, variable(name)],
      [1, { '$flip-digit': variable(name) }],
      [1, ''],
    ]),
    synchronizerId: random.weighted<Data>([
      [8, variable('synchronizerId')],
      [2, ''],
      [0.5, 'x::1220'],
    ]),
  }))
}

function prefetchOf({ random, ledger }: Drafting): Data {
  const keyed = ledger.contracts.filter(({ template }) => template.key)
  return random.some(keyed, 0.5).map(({ name, fields }) => ({
    templateId: variable(`${name}.template`),
    contractKey: { owner: fields['owner'] ?? null, id: fields['id'] ?? null },
  }))
}

/** A new submission; when it is accepted, everybody's view of its transaction is asked for. */
export function submit(drafting: Drafting, actor?: string): Drafted {
  const { number, hasTokens, random } = drafting
  const { commands, actAs, about } = commandsOf(drafting)
  const body: Submission = {
    commands,
    commandId: unique(`cmd-${number()}`),
    actAs: actAs.map(variable),
    ...((!hasTokens || random.chance(0.7)) && { userId: variable('user') }),
    ...optionsOf(drafting),
  }
  return submitted(drafting, turnOf({ about, operation: 'submit-and-wait', body, ...(actor && { actor }) }))
}

/** Whoever accepted it is asked what came of it. */
export function submitted(drafting: Drafting, turn: Turn): Drafted {
  const { number, follow, ledger, parties, random } = drafting
  const update = `u${number()}`
  return {
    turn,
    heard: (answer) => {
      if (answer === undefined) return undefined
      const readers = random.chance(0.75) ? parties : random.some(parties, 0.5)
      follow(
        readUpdate(
          update,
          readers.length > 0 ? readers : parties,
          (told) => ledger.hear(told, '/update/Transaction/value/events'),
          random.chance(0.25) ? 'ACS_DELTA' : 'LEDGER_EFFECTS',
        ),
      )
      return { [update]: '/updateId', [`${update}.offset`]: '/completionOffset' }
    },
  }
}

const readUpdate = (
  update: string,
  readers: readonly string[],
  heard: (answer: JsonValue | undefined) => Record<string, string>,
  shape: string,
): Drafted => ({
  turn: turnOf({
    about: `what ${readers.join(', ')} see of it`,
    operation: 'update-by-id',
    body: {
      updateId: variable(update),
      updateFormat: {
        includeTransactions: { eventFormat: formatFor(readers), transactionShape: `TRANSACTION_SHAPE_${shape}` },
      },
    },
  }),
  heard,
})

/** An earlier submission, with one thing about it changed, or nothing. */
export function again(drafting: Drafting, earlier: Turn): Drafted {
  const { random, parties, number } = drafting
  const body = bodyOfTurn(earlier)
  const old: Submission = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
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
    () => ({ commands: commandsOf(drafting).commands }),
    () => ({ readAs: [variable(random.pick(parties))] }),
  ])()
  const turn = turnOf({
    about: `${earlier.about}, once more with ${Object.keys(change).join(' and ') || 'nothing'} changed`,
    operation: 'submit-and-wait',
    actor: earlier.actor,
    body: { ...old, ...change },
  })
  // What is remembered for a short time only shows behind that.
  return submitted(drafting, random.chance(0.05) ? { ...turn, after: 1500 } : turn)
}
