import { type Arbitrary, constant, constantFrom, record, shuffledSubarray, subarray, tuple } from 'fast-check'
import type { Step } from '../../record/types/exploration.js'
import type { Data } from '../../record/types/resolved-row.js'
import { bodyMembers } from '../send/step.js'
import { commandsOf } from './commands.js'
import { type DraftContext, type DraftStep, stepOf, unique, updateFormatFor, variable } from './draft-step.js'
import { chance, someMembers, weighted } from './draw.js'
import type { KnownContract } from './known-ledger.js'
import { readUpdate } from './lookups.js'

type Submission = Record<string, Data>

const durations: Arbitrary<Data> = constantFrom<Data[]>(
  { DeduplicationDuration: { value: { seconds: 3600, nanos: 0 } } },
  { DeduplicationDuration: { value: { seconds: 864001, nanos: 0 } } },
  { DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } },
  { DeduplicationOffset: { value: 0 } },
  { DeduplicationOffset: { value: -1 } },
  { DeduplicationOffset: { value: variable('begin') } },
  { Empty: {} },
)

const absoluteTimes = ['2020-01-01T00:00:00Z', '2020-01-01T01:00:00+01:00', '0001-01-01T00:00:00Z', 'never']

const preferences: readonly string[] = [
  'a48fb23da26f027e79f2461e63672d9ddf2e97deff43a50e101a680054f75652',
  '35221337ab853679a452d1a369f9013568c9b5c7d8b551a84bcd887bb8a32718',
  '7dd7c48a460e68836b6975ea4681466d3deb42d2fb463ce3667b29abc0150772',
  '0'.repeat(64),
]

function optionsOf({ parties, ledger, number, hasOtherSynchronizer }: DraftContext): Arbitrary<Submission> {
  const disclosable = ledger.contracts.filter(({ hasBlob }) => hasBlob)
  const keyed = ledger.contracts.filter(({ template }) => template.key)
  const otherSynchronizer = hasOtherSynchronizer ? variable('otherSynchronizerId') : 'nothing'
  return someMembers<Data>({
    submissionId: { percent: 35, value: constant(unique(`sub-${number()}`)) },
    workflowId: { percent: 10, value: constantFrom('flow', 'flow/1 #2', 'bad!', '') },
    readAs: { percent: 25, value: shuffledSubarray(parties.map(variable)) },
    deduplicationPeriod: { percent: 20, value: durations },
    minLedgerTimeAbs: { percent: 5, value: constantFrom(...absoluteTimes) },
    minLedgerTimeRel: {
      percent: 5,
      value: constantFrom<Data[]>({ seconds: 0, nanos: 0 }, { seconds: -5, nanos: 0 }, {}),
    },
    disclosedContracts: {
      percent: disclosable.length > 0 ? 15 : 0,
      value: shuffledSubarray(disclosable, { maxLength: Math.min(2, disclosable.length) }).chain(disclosuresOf),
    },
    synchronizerId: {
      percent: 10,
      value: constantFrom(variable('synchronizerId'), '', 'x::1220', otherSynchronizer),
    },
    packageIdSelectionPreference: { percent: 6, value: subarray([...preferences]) },
    prefetchContractKeys: { percent: 3, value: subarray(keyed.map(keyOf)) },
    tapsMaxPasses: { percent: 6, value: constantFrom(1, 2, 3, 100, 0, -1) },
  })
}

const disclosuresOf = (contracts: readonly KnownContract[]): Arbitrary<Data> => tuple(...contracts.map(disclosureOf))

const disclosureOf = ({ name }: KnownContract): Arbitrary<Data> =>
  record({
    createdEventBlob: weighted<Data>(
      [12, variable(`${name}.blob`)],
      [1, { $damage: variable(`${name}.blob`), how: 'flip-last' }],
      [0.5, ''],
    ),
    templateId: weighted<Data>([12, variable(`${name}.template`)], [1, '']),
    contractId: weighted<Data>([12, variable(name)], [1, { '$flip-digit': variable(name) }], [1, '']),
    synchronizerId: weighted<Data>([8, variable('synchronizerId')], [2, ''], [0.5, 'x::1220']),
  })

const keyOf = ({ name, fields }: KnownContract): Data => ({
  templateId: variable(`${name}.template`),
  contractKey: { owner: fields['owner'] ?? null, id: fields['id'] ?? null },
})

export function submit(context: DraftContext): DraftStep {
  const { draw, number, hasTokens } = context
  const { commands, actAs, about } = commandsOf(context)
  const hasUser = !hasTokens || draw(chance(70))
  const body: Submission = {
    commands,
    commandId: unique(`cmd-${number()}`),
    actAs: actAs.map(variable),
    ...(hasUser && { userId: variable('user') }),
    ...draw(optionsOf(context)),
  }
  return submitted(context, stepOf({ about, operation: 'submit-and-wait', body }))
}

function submitted(context: DraftContext, step: Step): DraftStep {
  const { draw, number, enqueue, ledger, parties } = context
  const update = `u${number()}`
  return {
    step,
    onAnswer: (answer) => {
      if (answer === undefined) return undefined
      const some = draw(subarray([...parties], { minLength: 1 }))
      const readers = draw(weighted([3, parties], [1, some]))
      const updateFormat = updateFormatFor(readers, true, draw(weighted([1, 'ACS_DELTA'], [3, 'LEDGER_EFFECTS'])))
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
  const { draw, parties, number } = context
  const old: Submission = bodyMembers(earlier)
  const actAs = Array.isArray(old['actAs']) ? old['actAs'] : []
  const party = variable(draw(constantFrom(...parties)))
  const change = draw(
    constantFrom<(() => Submission)[]>(
      () => ({}),
      () => ({ commandId: unique(`cmd-${number()}`) }),
      () => ({ actAs: [...actAs].reverse() }),
      () => ({ actAs: [...actAs, ...actAs] }),
      () => ({ actAs: [...new Set([...actAs, party])] }),
      () => ({ actAs: actAs.slice(0, 1) }),
      () => ({ submissionId: unique(`sub-${number()}`), workflowId: 'other' }),
      () => ({ userId: unique('other') }),
      () => ({ deduplicationPeriod: draw(durations) }),
      () => ({ commands: commandsOf(context).commands }),
      () => ({ readAs: [party] }),
    ),
  )()
  const changes = Object.keys(change)
  const step = stepOf({
    about: `repeat: ${earlier.about}, ${changes.length > 0 ? `other ${changes.join(' and ')}` : 'unchanged'}`,
    operation: 'submit-and-wait',
    actor: earlier.actor,
    body: { ...old, ...change },
  })
  // Reveals deduplication that ends early.
  return submitted(context, draw(chance(5)) ? { ...step, after: 1500 } : step)
}
