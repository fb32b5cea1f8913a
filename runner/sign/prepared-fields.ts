import type { FieldPath } from './message-edit.js'

interface Fields {
  readonly [name: string]: number | readonly [number, Fields | (() => Fields)]
}

const identifier: Fields = { package_id: 1, module_name: 2, entity_name: 3 }

/** The members that suites alter. */
const value: Fields = {
  int64: 3,
  party: 7,
  text: 8,
  contract_id: 9,
  record: [14, () => ({ record_id: [1, identifier], fields: [2, { label: 1, value: [2, () => value] }] })],
}

const create: Fields = {
  lf_version: 1,
  contract_id: 2,
  package_name: 3,
  template_id: [4, identifier],
  argument: [5, value],
  signatories: 6,
  stakeholders: 7,
}

const exercise: Fields = {
  lf_version: 1,
  contract_id: 2,
  package_name: 3,
  template_id: [4, identifier],
  signatories: 5,
  stakeholders: 6,
  acting_parties: 7,
  choice_id: 9,
  chosen_value: [10, value],
  consuming: 11,
  children: 12,
  exercise_result: [13, value],
}

const prepared: Fields = {
  transaction: [
    1,
    {
      version: 1,
      roots: 2,
      nodes: [3, { node_id: 1, v1: [1000, { create: [1, create], exercise: [3, exercise] }] }],
      node_seeds: [4, { node_id: 1, seed: 2 }],
    },
  ],
  metadata: [
    2,
    {
      submitter_info: [2, { act_as: 1, command_id: 2 }],
      synchronizer_id: 3,
      mediator_group: 4,
      transaction_uuid: 5,
      preparation_time: 6,
      input_contracts: [7, { v1: [1, create], created_at: 1000, event_blob: 1002 }],
      min_ledger_effective_time: 9,
      max_ledger_effective_time: 10,
      max_record_time: 11,
    },
  ],
}

const innerOf = (fields: Fields | (() => Fields)): Fields => (typeof fields === 'function' ? fields() : fields)

/** Example: `transaction.nodes.0.v1.create`; a number is an index. */
export function preparedField(name: string): FieldPath | undefined {
  const path: { number: number; nth: number }[] = []
  let fields: Fields | undefined = prepared
  for (const part of name.split('.')) {
    const last = path.at(-1)
    if (/^\d+$/.test(part) && last) {
      last.nth = Number(part)
      continue
    }
    const found: Fields[string] | undefined = fields && Object.hasOwn(fields, part) ? fields[part] : undefined
    if (found === undefined) return undefined
    path.push({ number: typeof found === 'number' ? found : found[0], nth: 0 })
    fields = typeof found === 'number' ? undefined : innerOf(found[1])
  }
  return path
}
