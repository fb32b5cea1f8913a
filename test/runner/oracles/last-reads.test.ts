/** The complete read of the ledger after the last row. */
import t from 'tap'
import type { JsonValue } from '../../../lib/json/json.js'
import type { Evidence } from '../../../record/types/record.js'
import { readLast } from '../../../runner/oracles/last-reads.js'
import { TargetError } from '../../../runner/target/target.js'
import { EarlyEnd } from '../../../runner/transport/early-end.js'
import { ExchangeLog } from '../../../runner/transport/exchange-log.js'

const exchange = (operation: string): Evidence => ({
  step: 0,
  role: 'probe-after',
  request: { method: 'POST', url: `http://127.0.0.1:7575/v2/${operation}`, headers: [] },
  startedAt: '2026-11-21T12:00:00.000Z',
  milliseconds: 1,
})

/** Updates at the offsets 1 to `count`. The answer of more than `most` of them cannot be read. */
function ledgerOf(count: number, most: number) {
  const limits: number[] = []
  const call = async (
    operation: string,
    body?: JsonValue,
    params: Record<string, string> = {},
    received?: (evidence: Evidence) => void,
  ): Promise<JsonValue> => {
    received?.(exchange(operation))
    if (operation === 'ledger-end') return { offset: count }
    if (operation !== 'updates') return []
    const begin = Number(Object(body).beginExclusive)
    const limit = Number(params['limit'])
    limits.push(limit)
    const offsets = Array.from({ length: Math.min(limit, count - begin) }, (_, index) => begin + index + 1)
    if (offsets.length > most) throw new TargetError('the answer has too many values')
    return offsets.map((offset) => ({ update: { Transaction: { value: { offset } } } }))
  }
  return { call, limits }
}

const options = {
  begin: 0,
  after: 0,
  repeatControl: async () => undefined,
  end: new EarlyEnd(),
  log: new ExchangeLog(),
}

t.test('shorter pages are read if a page is too long for this program', async (t) => {
  const { call, limits } = ledgerOf(70, 40)
  const reads = await readLast({ ...options, readers: [{ call, parties: ['alice'] }] })
  t.strictSame(limits, [150, 30, 30, 30])
  t.strictSame(
    reads.map(({ operation }) => operation),
    ['ledger-end', 'updates', 'updates', 'updates', 'active-contracts'],
    'no failed exchange of an earlier attempt',
  )
})

t.test('the read ends with the first operation that fails in all attempts', async (t) => {
  const { call, limits } = ledgerOf(70, 1)
  const reads = await readLast({ ...options, readers: [{ call, parties: ['alice'] }] })
  t.strictSame(limits, [150, 30, 3])
  t.strictSame(
    reads.map(({ operation }) => operation),
    ['ledger-end', 'updates'],
  )
})
