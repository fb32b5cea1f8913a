import type { TemplateSchema } from '../../../daml/schema/schema.js'
import type { JsonValue } from '../../../lib/json/json.js'
import { LedgerError, RedactedError, ReferenceFault } from '../../../simulator/base/errors.js'
import { decodeDaml } from '../../../simulator/json/daml-decode.js'
import type { ChoiceTarget, LedgerCommand } from '../../../simulator/ledger/interpret/command.js'
import { createEntropy } from '../../../simulator/ledger/state/entropy.js'
import { Ledger } from '../../../simulator/ledger/state/ledger.js'
import { firstState, type Synchronizer } from '../../../simulator/ledger/state/ledger-state.js'
import { acquireCommands, type CommandSubmission, type Commit } from '../../../simulator/ledger/submit/acquire.js'
import type { KeptCreate, Transaction } from '../../../simulator/ledger/transactions/transaction.js'
import { contractOf, recordOf } from '../suites/choice-run.js'
import { packages, templateOf } from './model-packages.js'
import { runSlices } from './run-slices.js'
import { type StillClock, stillClock } from './still-clock.js'

/** Packages for one participant. */
export const usablePackages = packages.filter(
  ({ name, version }) => `${name} ${version}` !== 'conformance-upgrade 1.2.0',
)

type Part = Partial<Omit<CommandSubmission, 'commands' | 'actAs'>>

export interface LedgerEnvironment {
  ledger: Ledger
  clock: StillClock
  home: Synchronizer
  alice: string
  bob: string
  carol: string
  /** Each command id is unique by default. */
  submit(actAs: string | readonly string[], commands: LedgerCommand | LedgerCommand[], more?: Part): Transaction
  acquire(...submission: Parameters<LedgerEnvironment['submit']>): Commit
  attempt(...submission: Parameters<LedgerEnvironment['submit']>): string
  /** Returns the contract id. */
  create(actAs: string | readonly string[], entity: string, argument: JsonValue, version?: string): string
}

export function ledgerEnvironment({ seed = 'seed', protocolVersion = 35, synchronizers = 1 } = {}): LedgerEnvironment {
  const clock = stillClock()
  const entropy = createEntropy(seed)
  const ledger = new Ledger(clock, entropy, firstState({ protocolVersion, synchronizers }, entropy))
  const uploaded = usablePackages.map(({ held }) => held)
  for (const synchronizer of ledger.synchronizers) ledger.upload(uploaded, synchronizer)
  const [home] = ledger.synchronizers
  if (!home) throw new Error('this environment has at least one synchronizer')
  const party = (hint: string): string => {
    for (const synchronizer of ledger.synchronizers) ledger.allocateParty(hint, synchronizer)
    return ledger.partyIdOf(hint)
  }
  let count = 0
  const start: LedgerEnvironment['acquire'] = (actAs, commands, more = {}) => {
    count += 1
    const work = acquireCommands(ledger, {
      userId: 'user',
      commandId: `command-${count}`,
      submissionId: `submission-${count}`,
      workflowId: '',
      readAs: [],
      packageNames: [],
      disclosed: [],
      prescribed: '',
      preference: [],
      traceId: 'ab'.repeat(16),
      ...more,
      actAs: [actAs].flat(),
      commands: [commands].flat(),
    })
    return runSlices(work)
  }
  const send: LedgerEnvironment['submit'] = (...submission) => start(...submission)()
  const make: LedgerEnvironment['create'] = (actAs, entity, argument, version) =>
    createdIds(send(actAs, create(entity, argument, version)))[0] ?? ''
  const [alice, bob, carol] = [party('alice'), party('bob'), party('carol')]
  const attempt: LedgerEnvironment['attempt'] = (...submission) => outcome(() => send(...submission))
  return { ledger, clock, home, alice, bob, carol, submit: send, acquire: start, attempt, create: make }
}

export function create(entity: string, argument: JsonValue, version?: string): LedgerCommand {
  const template = templateOf(entity, version)
  return { kind: 'create', template, argument: contractOf(template, argument) }
}

function target(template: TemplateSchema, name: string): ChoiceTarget & { template: TemplateSchema } {
  const choice = template.choices.find((item) => item.name === name)
  if (!choice) throw new Error(`${template.id.entity} has no choice ${name}`)
  return { template, choice }
}

export function exercise(
  contractId: string,
  [entity, name, version]: readonly [entity: string, choice: string, version?: string],
  argument: JsonValue = {},
): LedgerCommand {
  const chosen = target(templateOf(entity, version), name)
  return { kind: 'exercise', contractId, target: chosen, argument: recordOf(chosen.choice.argument, argument) }
}

export function exerciseByKey(entity: string, key: JsonValue, name: string, argument: JsonValue = {}): LedgerCommand {
  const template = templateOf(entity)
  if (!template.key) throw new Error(`${entity} has no key`)
  const chosen = target(template, name)
  return {
    kind: 'exerciseByKey',
    template,
    key: decodeDaml(template.key, key),
    target: chosen,
    argument: recordOf(chosen.choice.argument, argument),
  }
}

export function createAndExercise(
  [entity, name]: readonly [entity: string, choice: string],
  contract: JsonValue,
  argument: JsonValue = {},
): LedgerCommand {
  const template = templateOf(entity)
  const chosen = target(template, name)
  return {
    kind: 'createAndExercise',
    template,
    createArgument: contractOf(template, contract),
    target: chosen,
    argument: recordOf(chosen.choice.argument, argument),
  }
}

const createNodes = ({ nodes }: Transaction): KeptCreate[] => nodes.filter((node) => node.kind === 'create')
export const createdIds = (transaction: Transaction): string[] =>
  createNodes(transaction).map(({ contract }) => contract.id)

/** Undefined without a refusal. Throws other errors. */
export function refusalOf(run: () => unknown): LedgerError | RedactedError | ReferenceFault | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof LedgerError || error instanceof RedactedError || error instanceof ReferenceFault) return error
    throw error
  }
}

/** A code or `accepted`. A fault of the reference counts as the correct refusal. */
export function outcome(run: () => unknown): string {
  const found = refusalOf(run)
  if (!found) return 'accepted'
  const refusal = found instanceof ReferenceFault ? found.proper : found
  return refusal instanceof LedgerError ? refusal.details.code : `redacted ${refusal.grpc}`
}
