/** The bytes of disclosed contracts. */
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { discloseAll } from '../../../simulator/codec/disclosure.js'
import type { Contract } from '../../../simulator/ledger/contracts/contract.js'
import { decodeBlob, encodeBlob } from '../../../simulator/ledger/contracts/created-event-blob.js'
import type { Ledger } from '../../../simulator/ledger/state/ledger.js'
import { ledgerEnvironment, outcome } from '../../support/ledgers/ledger-environment.js'

const contractOf = (ledger: Ledger, id: string): Contract => {
  const contract = ledger.stored(id)?.contract
  if (!contract) throw new Error(`no contract ${id}`)
  return contract
}

function discloseAndUse(body: Parameters<typeof discloseAll>[0][number], ledger: Ledger): void {
  for (const { authenticate } of discloseAll([body], ledger)) authenticate?.()
}

t.test('a flipped bit of a blob is rejected or leaves the decoded contract unchanged', async (t) => {
  const { ledger, create: made, alice } = ledgerEnvironment()
  const contract = contractOf(ledger, made(alice, 'Keyed', { owner: alice, observers: [], id: 'k', text: 'hello' }))
  const blob = encodeBlob(contract)
  const codes = new Set<string>()
  for (let bit = 0; bit < blob.length * 8; bit += 1) {
    const flipped = Buffer.from(blob)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    const body = { templateId: undefined, contractId: '', createdEventBlob: flipped, synchronizerId: '' }
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
