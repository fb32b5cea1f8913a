/** The complete read of the ledger after the last row. */
import t from 'tap'
import { type JsonValue, parseJson } from '../../../lib/json/json.js'
import type { Evidence } from '../../../record/types/record.js'
import { readLast } from '../../../runner/oracles/last-reads.js'
import type { Caller } from '../../../runner/provision/caller.js'
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
  completionReaders: [],
  begin: 0,
  after: 0,
  repeatControl: async () => undefined,
  end: new EarlyEnd(),
  log: new ExchangeLog(),
}

t.test('shorter pages are read if a page is too long for this program', async (t) => {
  const { call, limits } = ledgerOf(70, 40)
  const reads = await readLast({
    ...options,
    readers: [{ user: 'operator', call, parties: ['alice'] }],
  })
  t.strictSame(limits, [150, 30, 30, 30])
  t.strictSame(
    reads.map(({ operation }) => operation),
    ['ledger-end', 'updates', 'updates', 'updates', 'active-contracts'],
    'no failed exchange of an earlier attempt',
  )
})

t.test('the read ends with the first operation that fails in all attempts', async (t) => {
  const { call, limits } = ledgerOf(70, 1)
  const reads = await readLast({
    ...options,
    readers: [{ user: 'operator', call, parties: ['alice'] }],
  })
  t.strictSame(limits, [150, 30, 3])
  t.strictSame(
    reads.map(({ operation }) => operation),
    ['ledger-end', 'updates'],
  )
})

t.test('a read that a target never ends is ended, and not repeated', async (t) => {
  const item = (offset: number, token: string): JsonValue => ({
    update: { Transaction: { value: { offset } } },
    streamContinuationToken: token,
  })
  let calls = 0
  const endless: Record<string, (begin: number) => (index: number) => JsonValue> = {
    'updates at one offset': () => () => item(1, ''),
    'updates without end': (begin) => (index) => item(begin + index + 1, ''),
    'contracts with two tokens': () => () => item(0, `token ${calls % 2}`),
    'contracts with new tokens': () => () => item(0, `token ${calls}`),
  }
  for (const [what, itemsBehind] of Object.entries(endless)) {
    calls = 0
    const isRead = (operation: string) => what.startsWith(operation === 'active-contracts' ? 'contracts' : operation)
    const call: Caller = async (operation, body, _params, received) => {
      received?.(exchange(operation))
      if (operation === 'ledger-end') return { offset: Number.MAX_SAFE_INTEGER }
      if (!isRead(operation)) return []
      calls += 1
      return Array.from({ length: 150 }, (_, index) => itemsBehind(Number(Object(body).beginExclusive))(index))
    }
    const reads = await readLast({
      ...options,
      readers: [{ user: 'operator', call, parties: ['alice'] }],
    })
    t.equal(calls, { 'updates at one offset': 2, 'contracts with two tokens': 3 }[what] ?? 2000, what)
    t.equal(reads.filter(({ operation }) => isRead(operation)).length, calls, what)
  }
})

t.test('updates are not read up to an offset that no request can contain', async (t) => {
  for (const offset of ['1.0', '"12"', '9007199254740993', 'null', '-1']) {
    const { call, limits } = ledgerOf(70, 150)
    const wrong: Caller = async (operation, ...others) => {
      const answer = await call(operation, ...others)
      return operation === 'ledger-end' ? parseJson(`{"offset":${offset}}`) : answer
    }
    const reads = await readLast({
      ...options,
      readers: [{ user: 'operator', call: wrong, parties: ['alice'] }],
    })
    t.strictSame(
      reads.map(({ operation }) => operation),
      ['ledger-end'],
      offset,
    )
    t.strictSame(limits, [])
  }
})

t.test('a read ends with the run', async (t) => {
  const end = new EarlyEnd()
  const { call, limits } = ledgerOf(1000, 1000)
  const interrupted: Caller = (operation, ...others) => {
    if (operation === 'updates' && limits.length === 1) end.decide({ cause: 'interrupted', by: 'SIGINT' })
    return call(operation, ...others)
  }
  await readLast({
    ...options,
    end,
    readers: [{ user: 'operator', call: interrupted, parties: ['alice'] }],
  })
  t.strictSame(limits, [150, 150])
})

t.test('completions are read last, page by page, and a failed read of them ends nothing else', async (t) => {
  const begins: number[] = []
  const call: Caller = async (operation, body, _params, received) => {
    received?.(exchange(operation))
    if (operation === 'ledger-end') return { offset: 0 }
    if (operation !== 'completions') return []
    const { beginExclusive: begin, userId } = Object(body)
    t.equal(userId, 'operator')
    begins.push(begin)
    return Array.from({ length: begin === 0 ? 150 : 10 }, (_, index) => ({
      completionResponse: { Completion: { value: { offset: begin + index + 1 } } },
    }))
  }
  const reader = { user: 'operator', call, parties: ['alice'] }
  const operationsOf = async (one: typeof reader): Promise<string[]> =>
    (await readLast({ ...options, readers: [one], completionReaders: [one] })).map(({ operation }) => operation)
  const usual = ['ledger-end', 'updates', 'active-contracts', 'completions']
  t.strictSame(await operationsOf(reader), [...usual, 'completions'])
  t.strictSame(begins, [0, 150])
  const failing: Caller = async (operation, body, params, received) => {
    if (operation !== 'completions') return call(operation, body, params, received)
    received?.(exchange(operation))
    throw new TargetError('not served')
  }
  t.strictSame(await operationsOf({ ...reader, call: failing }), usual)
})
