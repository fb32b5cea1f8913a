/** Disclosed contracts. */
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { discloseAll } from '../../../simulator/codec/disclosure.js'
import { type Contract, isAuthentic } from '../../../simulator/ledger/contracts/contract.js'
import { decodeBlob, encodeBlob } from '../../../simulator/ledger/contracts/created-event-blob.js'
import type { Ledger } from '../../../simulator/ledger/state/ledger.js'
import { exercise, ledgerEnvironment, outcome } from '../../support/ledgers/ledger-environment.js'
import { activeIds } from './ledger-against-model.js'

const contractOf = (ledger: Ledger, id: string): Contract => {
  const contract = ledger.stored(id)?.contract
  if (!contract) throw new Error(`no contract ${id}`)
  return contract
}

const disclosed = (contract: Contract, blob = encodeBlob(contract), body: object = {}) => ({
  templateId: undefined,
  contractId: contract.id,
  createdEventBlob: blob,
  synchronizerId: '',
  ...body,
})

function discloseAndUse(body: ReturnType<typeof disclosed>, ledger: Ledger): void {
  for (const { authenticate } of discloseAll([body], ledger)) authenticate?.()
}

t.test('a party without a stake uses a disclosed contract while it is active', async (t) => {
  const { ledger, attempt, create: made, alice, bob, carol } = ledgerEnvironment()
  const id = made([alice, bob], 'Joint', { first: alice, second: bob, observers: [] })
  const leave = exercise(id, ['Joint', 'Leave'], { party: carol })
  t.equal(attempt(carol, leave), 'CONTRACT_NOT_FOUND')
  const contracts = discloseAll([disclosed(contractOf(ledger, id))], ledger)
  t.strictSame(
    contracts.map(({ contract }) => contract),
    [contractOf(ledger, id)],
    'the blob contains the whole contract',
  )
  t.equal(attempt(carol, leave, { disclosed: contracts }), 'accepted')
  const code = attempt(carol, leave, { disclosed: contracts })
  t.equal(code, 'LOCAL_VERDICT_INACTIVE_CONTRACTS', 'the contract is archived')
})

t.test('a disclosed contract of another ledger is rejected as inactive', async (t) => {
  const here = ledgerEnvironment()
  const there = ledgerEnvironment({ seed: 'another' })
  const parties = { first: there.alice, second: there.bob, observers: [] }
  const foreign = contractOf(there.ledger, there.create([there.alice, there.bob], 'Joint', parties))
  for (const party of [there.alice, there.bob]) {
    here.ledger.hostExternalParty({ party, keys: [], threshold: 1 }, here.home)
  }
  const contracts = discloseAll([disclosed(foreign)], here.ledger)
  t.ok(isAuthentic(foreign), 'its id matches its content')
  const before = activeIds(here.ledger)
  const leave = exercise(foreign.id, ['Joint', 'Leave'], { party: here.carol })
  t.equal(here.attempt(here.carol, leave, { disclosed: contracts }), 'LOCAL_VERDICT_INACTIVE_CONTRACTS')
  t.strictSame(activeIds(here.ledger), before)
})

t.test('a disclosed contract that differs from its blob is rejected', async (t) => {
  const { ledger, create: made, alice, bob } = ledgerEnvironment()
  const contract = contractOf(ledger, made(alice, 'Note', { author: alice, readers: [bob], text: 'one' }))
  const other = made(alice, 'Note', { author: alice, readers: [], text: 'two' })
  const wrongParty: Contract = { ...contract, observers: [] }
  const wrongText: Contract = { ...contract, argument: contractOf(ledger, other).argument, observers: [] }
  const { packageId, module } = contract.template
  const tried: [title: string, expected: string, body: ReturnType<typeof disclosed>][] = [
    ['as it is', 'accepted', disclosed(contract)],
    ['without an id', 'accepted', disclosed(contract, undefined, { contractId: '' })],
    ['with another id', 'INVALID_ARGUMENT', disclosed(contract, undefined, { contractId: other })],
    ['with a bad id', 'INVALID_FIELD', disclosed(contract, undefined, { contractId: 'x' })],
    ['its template', 'accepted', disclosed(contract, undefined, { templateId: reference('Note') })],
    ['other template', 'INVALID_ARGUMENT', disclosed(contract, undefined, { templateId: reference('Joint') })],
    ['template by name', 'INVALID_FIELD', disclosed(contract, undefined, { templateId: byName })],
    ['without a blob', 'MISSING_FIELD', disclosed(contract, Buffer.alloc(0))],
    ['garbage', 'INVALID_ARGUMENT', disclosed(contract, Buffer.from('garbage'))],
    ['other parties', 'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED', disclosed(wrongParty)],
    ['other content', 'DISCLOSED_CONTRACT_AUTHENTICATION_FAILED', disclosed(wrongText)],
    ['bad synchronizer', 'INVALID_FIELD', disclosed(contract, undefined, { synchronizerId: 'x' })],
  ]
  for (const [title, expected, body] of tried)
    t.equal(
      outcome(() => discloseAndUse(body, ledger)),
      expected,
      title,
    )

  function reference(entity: string) {
    return { package: packageId, module, entity }
  }
})

const byName = { package: '#conformance-model', module: 'Conformance', entity: 'Note' }

t.test('a flipped bit of a blob is rejected or leaves the decoded contract unchanged', async (t) => {
  const { ledger, create: made, alice } = ledgerEnvironment()
  const contract = contractOf(ledger, made(alice, 'Keyed', { owner: alice, observers: [], id: 'k', text: 'hello' }))
  const blob = encodeBlob(contract)
  const codes = new Set<string>()
  for (let bit = 0; bit < blob.length * 8; bit += 1) {
    const flipped = Buffer.from(blob)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    const body = disclosed(contract, flipped, { contractId: '' })
    const code = outcome(() => discloseAndUse(body, ledger))
    codes.add(code)
    if (code === 'accepted' && !isDeepStrictEqual(discloseAll([body], ledger)[0]?.contract, contract))
      t.fail(`bit ${bit}`)
  }
  t.strictSame([...codes].sort(), [
    'DISCLOSED_CONTRACT_AUTHENTICATION_FAILED',
    'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED',
    'INVALID_ARGUMENT',
    'accepted',
  ])
  t.strictSame(decodeBlob(blob, ledger.packages), contract)
})
