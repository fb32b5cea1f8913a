/** The bytes of disclosed contracts. */
import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import { discloseAll } from '../../../simulator/codec/disclosure.js'
import type { Contract } from '../../../simulator/ledger/contracts/contract.js'
import { decodeBlob, encodeBlob } from '../../../simulator/ledger/contracts/created-event-blob.js'
import type { Ledger } from '../../../simulator/ledger/state/ledger.js'
import { type LedgerEnvironment, ledgerEnvironment, outcome } from '../../support/ledgers/ledger-environment.js'

const contractOf = (ledger: Ledger, id: string): Contract => {
  const contract = ledger.stored(id)?.contract
  if (!contract) throw new Error(`no contract ${id}`)
  return contract
}

function discloseAndUse(body: Parameters<typeof discloseAll>[0][number], ledger: Ledger): void {
  for (const { authenticate } of discloseAll([body], ledger)) authenticate?.()
}

/** The codes of all blobs with one flipped bit. */
function codesOfFlippedBits(t: Test, { ledger }: LedgerEnvironment, contract: Contract): string[] {
  const blob = encodeBlob(contract)
  t.strictSame(decodeBlob(blob, ledger.packages), contract)
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
  return [...codes].sort()
}

t.test('a flipped bit of a blob is rejected or leaves the decoded contract unchanged', async (t) => {
  const environment = ledgerEnvironment()
  const { ledger, create: made, alice: owner } = environment
  const keyed = made(owner, 'Keyed', { owner, observers: [], id: 'k', text: 'hello' })
  const allTypes = made(owner, 'AllTypes', { owner, ...values })
  for (const id of [keyed, allTypes])
    t.strictSame(codesOfFlippedBits(t, environment, contractOf(ledger, id)), [
      'DISCLOSED_CONTRACT_AUTHENTICATION_FAILED',
      'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED',
      'INVALID_ARGUMENT',
      'accepted',
    ])
})

const values = {
  text: 't',
  int: '1',
  decimal: '1.5',
  bool: true,
  date: '2020-01-01',
  time: '2020-01-01T00:00:00Z',
  unit: {},
  nestedOptional: [],
  list: ['1'],
  textMap: { a: '1' },
  genMap: [['1', 'a']],
  record: { a: '1', b: 'b' },
  variant: { tag: 'Circle', value: '1' },
  enum: 'Red',
}
