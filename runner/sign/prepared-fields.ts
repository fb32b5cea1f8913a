import type { FieldPath } from './message-edit.js'

/** Field numbers of the members that suites alter, from the outermost message. */
const numbersOf: ReadonlyMap<string, string> = new Map(
  Object.entries({
    transaction: '1',
    'transaction.version': '1.1',
    'transaction.roots': '1.2',
    'transaction.nodes': '1.3',
    'transaction.nodes.node_id': '1.3.1',
    'transaction.nodes.v1.create.contract_id': '1.3.1000.1.2',
    'transaction.nodes.v1.create.package_name': '1.3.1000.1.3',
    'transaction.nodes.v1.create.argument': '1.3.1000.1.5',
    'transaction.nodes.v1.create.argument.record.fields.value.party': '1.3.1000.1.5.14.2.2.7',
    'transaction.nodes.v1.create.argument.record.fields.value.text': '1.3.1000.1.5.14.2.2.8',
    'transaction.nodes.v1.create.signatories': '1.3.1000.1.6',
    'transaction.nodes.v1.create.stakeholders': '1.3.1000.1.7',
    'transaction.nodes.v1.exercise.acting_parties': '1.3.1000.3.7',
    'transaction.nodes.v1.exercise.choice_id': '1.3.1000.3.9',
    'transaction.nodes.v1.exercise.consuming': '1.3.1000.3.11',
    'transaction.node_seeds': '1.4',
    'transaction.node_seeds.seed': '1.4.2',
    metadata: '2',
    'metadata.submitter_info': '2.2',
    'metadata.submitter_info.act_as': '2.2.1',
    'metadata.submitter_info.command_id': '2.2.2',
    'metadata.synchronizer_id': '2.3',
    'metadata.mediator_group': '2.4',
    'metadata.transaction_uuid': '2.5',
    'metadata.preparation_time': '2.6',
    'metadata.input_contracts': '2.7',
    'metadata.input_contracts.v1.package_name': '2.7.1.3',
    'metadata.input_contracts.v1.template_id.entity_name': '2.7.1.4.3',
    'metadata.input_contracts.v1.argument.record.fields.value.text': '2.7.1.5.14.2.2.8',
    'metadata.input_contracts.v1.signatories': '2.7.1.6',
    'metadata.input_contracts.created_at': '2.7.1000',
    'metadata.input_contracts.event_blob': '2.7.1002',
    'metadata.min_ledger_effective_time': '2.9',
    'metadata.max_ledger_effective_time': '2.10',
    'metadata.max_record_time': '2.11',
  }),
)

/** Example: `transaction.nodes.0.v1.create.signatories`; a number is an index. */
export function preparedField(name: string): FieldPath | undefined {
  const members = name.split(/\.(?!\d+(?:\.|$))/).map((part) => part.split('.'))
  const numbers = numbersOf.get(members.map(([member]) => member).join('.'))
  return numbers?.split('.').map((number, place) => {
    const index = members[place]?.[1] ?? 0
    return { number: Number(number), nth: Number(index) }
  })
}
