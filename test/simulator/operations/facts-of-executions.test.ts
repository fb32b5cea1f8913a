/** Observations on 3.5.10: when an execution checks the event format, and an unknown party in a signed transaction. */
import t from 'tap'
import type { DamlValue } from '../../../interface/daml-value.js'
import type { PreparedTransaction, TransactionNode } from '../../../interface/prepared-transaction/codec.js'
import type { JsonObject } from '../../../lib/json/json.js'
import {
  createPing,
  eveEnvironment,
  execute,
  execution,
  outcomeOf,
  transactionPath,
} from '../../support/ledgers/external-environment.js'
import { ping } from '../../support/ledgers/simulator-environment.js'
import { reworked } from '../../support/replay/damaged-prepared.js'

for (const behaviour of ['canton-3.5', 'interface'] as const) {
  const [first, second] = behaviour === 'canton-3.5' ? ['fields', 'format'] : ['format', 'fields']
  t.test(`checks the ${first} of an execution before its ${second}: ${behaviour}`, async (t) => {
    const { environment, eve } = await eveEnvironment(t, { behaviour })
    const attempt = async (more: JsonObject) => {
      const prepared = await environment.prepare(eve.party, createPing(eve))
      return outcomeOf(await execute(environment, execution(prepared, [eve], more), transactionPath))
    }
    const transactionFormat = { eventFormat: null, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' }
    const end = await environment.ledgerEnd()
    const expected = behaviour === 'canton-3.5' ? '400 INVALID_FIELD' : '400 MISSING_FIELD'
    t.equal(await attempt({ transactionFormat, submissionId: '!' }), expected)
    t.equal(await environment.ledgerEnd(), end, 'nothing is committed')
    t.equal(await attempt({ transactionFormat }), '400 MISSING_FIELD')
    const isUnchanged = (await environment.ledgerEnd()) === end
    t.equal(isUnchanged, behaviour === 'interface', 'the reference commits before it checks the format')
  })
}

const ofNodes =
  (change: (node: TransactionNode) => TransactionNode) =>
  ({ transaction: { nodes } }: PreparedTransaction) => ({
    transaction: { nodes: nodes.map(({ nodeId, node }) => ({ nodeId, node: change(node) })) },
  })

t.test('rejects an unknown party in a transaction with valid signatures', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const ghost = `ghost::1220${'ab'.repeat(32)}`
  const createArguments = { id: 'x', initiator: eve.party, responder: environment.bob }
  const prepared = await environment.prepare(eve.party, { CreateCommand: { templateId: ping, createArguments } })
  const rename = (node: TransactionNode): TransactionNode => {
    if (node.kind !== 'create' || node.argument.kind !== 'record') return node
    const fields = node.argument.fields.map(([label, value]): [string, DamlValue] =>
      value.kind === 'party' && value.value === environment.bob
        ? [label, { kind: 'party', value: ghost }]
        : [label, value],
    )
    const stakeholders = node.stakeholders.map((party) => (party === environment.bob ? ghost : party))
    return { ...node, argument: { ...node.argument, fields }, stakeholders }
  }
  const bytes = reworked(prepared, ofNodes(rename))
  t.equal(outcomeOf(await execute(environment, execution(bytes, [eve]), transactionPath)), '404 UNKNOWN_INFORMEES')
})

t.test('rejects a signed transaction in which one signatory is no stakeholder', async (t) => {
  const ghost = `ghost::1220${'ab'.repeat(32)}`
  const outcomeBy = async (behaviour: 'canton-3.5' | 'interface') => {
    const { environment, eve } = await eveEnvironment(t, { behaviour })
    const prepared = await environment.prepare(eve.party, createPing(eve))
    const bytes = reworked(
      prepared,
      ofNodes((node) => ('signatories' in node ? { ...node, signatories: [...node.signatories, ghost] } : node)),
    )
    return outcomeOf(await execute(environment, execution(bytes, [eve])))
  }
  t.equal(await outcomeBy('canton-3.5'), '500 NA')
  t.equal(await outcomeBy('interface'), '400 FAILED_TO_EXECUTE_TRANSACTION')
})
