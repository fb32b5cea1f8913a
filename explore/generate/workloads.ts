/** The mix of requests and alterations in a sequence. */
import type { OperationName } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { TokenTemplate } from '../../record/types/resolved-row.js'
import type { SuiteValues } from './suite-values.js'
import type { VettedPackage } from './vetting.js'

export interface GeneratorSettings {
  /** Of the reference, whose answers the generator reads. */
  variables: ReadonlyMap<string, JsonValue>
  external: readonly string[]
  hasModel: boolean
  hasTokens: boolean
  actors: readonly string[]
  tokens: readonly TokenTemplate[]
  canChangeVetting: boolean
  packages: readonly VettedPackage[]
  values: SuiteValues
  only?: OperationName
}

/** Weights of the kinds of requests. */
interface Mix {
  submit: number
  repeat: number
  lookUp: number
  execute: number
  vet: number
  events: number
  altered: { field: number; form: number; caller: number }
}

export interface Workload extends Mix {
  name: string
}

const none: Mix = {
  submit: 0,
  repeat: 0,
  lookUp: 0,
  execute: 0,
  vet: 0,
  events: 0,
  altered: { field: 0, form: 0, caller: 0 },
}
/** Percent of the requests. */
const rarely: Workload['altered'] = { field: 0, form: 0, caller: 4 }
const fields: Workload['altered'] = { field: 70, form: 2, caller: 2 }
const forms: Workload['altered'] = { field: 10, form: 60, caller: 10 }
const callers: Workload['altered'] = { field: 5, form: 0, caller: 60 }

const workloads: readonly Workload[] = [
  { ...none, name: 'commands', submit: 8, repeat: 2, lookUp: 3, events: 1, altered: rarely },
  { ...none, name: 'executions', submit: 1, lookUp: 1, execute: 8, events: 1, altered: rarely },
  { ...none, name: 'vetting', submit: 4, lookUp: 1, vet: 8, altered: rarely },
  { ...none, name: 'fields', submit: 6, lookUp: 2, execute: 3, vet: 3, altered: fields },
  { ...none, name: 'fields of executions', submit: 1, execute: 8, altered: fields },
  { ...none, name: 'fields of all operations', submit: 3, lookUp: 3, execute: 3, vet: 3, altered: fields },
  { ...none, name: 'forms', submit: 3, lookUp: 3, execute: 3, vet: 2, altered: forms },
  { ...none, name: 'callers', submit: 4, lookUp: 4, execute: 3, vet: 2, altered: callers },
]

const period = 32
/** Sequences with these numbers, modulo the period, change vetting one after the other, while all others wait. */
const exclusive: ReadonlySet<number> = new Set([5, 6, 7, 8])

/** Other sequences change vetting only in dry runs, as vetting is shared. */
export function changesVetting({ canChangeVetting, packages, only }: GeneratorSettings, number: number): boolean {
  if (!canChangeVetting || packages.length === 0) return false
  if (only !== undefined) return only === 'update-package-vetting' && number % 2 === 1
  return exclusive.has(number % period)
}

export function workloadsFor(settings: GeneratorSettings): readonly Workload[] {
  const { only, hasTokens, external, packages, canChangeVetting } = settings
  const possible = workloads.filter(({ name }) => {
    if (name === 'callers') return hasTokens
    if (name === 'executions' || name === 'fields of executions') return external.length > 0
    return name !== 'vetting' || packages.length > 0
  })
  if (canChangeVetting && packages.length > 0)
    return possible.filter(({ vet }) => vet > 0).map(aboutOperation['update-package-vetting'])
  return only === undefined ? possible : possible.map(aboutOperation[only])
}

const aboutOperation: Readonly<Record<OperationName, (workload: Workload) => Workload>> = {
  'contract-by-id': (workload) => ({ ...workload, execute: 0, vet: 0, repeat: 0, lookUp: 8, submit: 2 }),
  'submit-and-wait': (workload) => ({ ...workload, execute: 0, vet: 0 }),
  execute: (workload) => ({ ...workload, vet: 0, repeat: 0, execute: 8 }),
  'execute-and-wait-for-transaction': (workload) => ({ ...workload, vet: 0, repeat: 0, execute: 8 }),
  'update-package-vetting': (workload) => ({ ...workload, execute: 0, repeat: 0, vet: 8 }),
}
