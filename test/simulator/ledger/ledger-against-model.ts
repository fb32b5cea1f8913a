import { stakeholders } from '../../../simulator/ledger/contracts/contract.js'
import type { LedgerCommand } from '../../../simulator/ledger/interpret/command.js'
import type { Ledger } from '../../../simulator/ledger/state/ledger.js'
import {
  create,
  createAndExercise,
  createdIds,
  exercise,
  exerciseByKey,
  type LedgerEnvironment,
  ledgerEnvironment,
  outcome,
} from '../../support/ledgers/ledger-environment.js'
import {
  type Action,
  type ModelContract,
  type ModelLedger,
  type ModelSubmission,
  otherKey,
  predict,
} from './ledger-model.js'

const choices = { Note: 'Archive', Joint: 'Leave', Delegation: 'CreateFor', Keyed: 'Read' } as const

/** `ids`: of the contracts that were created so far. */
function commandFor(
  item: Action,
  ids: readonly string[],
  contracts: readonly ModelContract[],
  environment: LedgerEnvironment,
): LedgerCommand {
  switch (item.kind) {
    case 'note': {
      const note = {
        author: environment[item.author],
        readers: item.readers.map((name) => environment[name]),
        text: '',
      }
      return item.archive ? createAndExercise(['Note', 'Archive'], note) : create('Note', note)
    }
    case 'joint': {
      const observers = item.observers.map((name) => environment[name])
      return create('Joint', { first: environment[item.first], second: environment[item.second], observers })
    }
    case 'delegation':
      return create('Delegation', { principal: environment[item.principal], agent: environment[item.agent] })
    case 'keyed': {
      const observers = item.observers.map((name) => environment[name])
      return create('Keyed', { owner: environment[item.owner], observers, id: item.id, text: '' })
    }
    case 'byKey': {
      const argument = item.choice === 'Rekey' ? { id: otherKey[item.id] } : {}
      return exerciseByKey('Keyed', { owner: environment[item.owner], id: item.id }, item.choice, argument)
    }
    case 'archive':
    case 'exercise': {
      const index = item.contract % ids.length
      const entity = contracts[index]?.entity ?? 'Note'
      if (item.kind === 'archive') return exercise(ids[index] ?? '', [entity, 'Archive'])
      const argument = { Note: {}, Joint: { party: environment[item.party] }, Delegation: { text: '' }, Keyed: {} }[
        entity
      ]
      return exercise(ids[index] ?? '', [entity, choices[entity]], argument)
    }
  }
}

const activeIds = (ledger: Ledger): string[] =>
  ledger
    .activeAt(ledger.end)
    .map((stored) => stored.contract.id)
    .sort()

const snapshot = (ledger: Ledger) => ({
  active: activeIds(ledger),
  transactions: ledger.transactionsBetween(0, ledger.end).length,
})

/** Throws at the first difference between ledger and model. */
export function checkAgainstModel(all: readonly ModelSubmission[]): void {
  const environment = ledgerEnvironment()
  const { ledger } = environment
  const ids = [environment.create(environment.alice, 'Note', { author: environment.alice, readers: [], text: '' })]
  const first: ModelContract = { entity: 'Note', signatories: ['alice'], observers: [], state: 'active' }
  let model: ModelLedger = { contracts: [first], changes: new Set() }
  for (const [index, submission] of all.entries()) {
    const { actAs, readAs, actions, commandId, userId } = submission
    const before = snapshot(ledger)
    const completions = ledger.state.completions.length
    const predicted = predict(model, submission)
    const commands = actions.map((item) => commandFor(item, ids, model.contracts, environment))
    const found = outcome(() => {
      const transaction = environment.submit(
        actAs.map((name) => environment[name]),
        commands,
        { readAs: readAs.map((name) => environment[name]), userId, ...(commandId !== undefined && { commandId }) },
      )
      ids.push(...createdIds(transaction))
    })
    const refusal = typeof predicted === 'string' ? predicted : undefined
    expectSame(`outcome of submission ${index}`, found, refusal ?? 'accepted')
    if (refusal) expectSame(`ledger after rejected submission ${index}`, snapshot(ledger), before)
    if (typeof predicted !== 'string') model = predicted
    expectSame(`contracts after submission ${index}`, shown(ledger, ids), modelled(model.contracts, ids, environment))
    // A submission that is rejected before it is in flight has no completion.
    const more = refusal === undefined || refusal === 'DUPLICATE_COMMAND' ? 1 : 0
    expectSame(`completions after submission ${index}`, ledger.state.completions.length, completions + more)
  }
}

/** Active contracts with their stakeholders. */
function shown(ledger: Ledger, ids: readonly string[]): string[] {
  return ledger
    .activeAt(ledger.end)
    .map(
      ({ contract }) =>
        `${ids.indexOf(contract.id)} ${contract.template.entity} ${stakeholders(contract).sort().join()}`,
    )
    .sort()
}

function modelled(
  contracts: readonly ModelContract[],
  ids: readonly string[],
  environment: LedgerEnvironment,
): string[] {
  if (contracts.length !== ids.length) throw new Error(`${contracts.length} contracts modelled, ${ids.length} created`)
  return contracts
    .flatMap(({ entity, signatories, observers, state }, index) => {
      const seeing = [...signatories, ...observers].map((name) => environment[name]).sort()
      return state === 'active' ? [`${index} ${entity} ${seeing.join()}`] : []
    })
    .sort()
}

function expectSame(subject: string, found: unknown, expected: unknown): void {
  const [here, there] = [JSON.stringify(found), JSON.stringify(expected)]
  if (here !== there) throw new Error(`${subject}: ${here} found, ${there} expected`)
}
