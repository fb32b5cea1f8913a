/** The watch of completions, and rows that rest. */
import t from 'tap'
import { parseJson } from '../../../lib/json/json.js'
import type { Evidence } from '../../../record/types/record.js'
import { CompletionsWatch } from '../../../runner/execute/completions-watch.js'
import { inParallel } from '../../../runner/execute/in-parallel.js'

t.test('one request watches completions for all waiting rows', async (t) => {
  const commands: string[] = []
  const begins: number[] = []
  const paths: string[] = []
  const send = async ({ body, path }: { body: Buffer | undefined; path: string }): Promise<Evidence> => {
    paths.push(path)
    const { beginExclusive } = parseJson(String(body)) as { beginExclusive: number } // the request of the watch
    begins.push(beginExclusive)
    const items = commands.map((commandId, index) => ({
      completionResponse: { Completion: { value: { commandId, offset: index + 1 } } },
    }))
    const text = JSON.stringify(items.slice(beginExclusive))
    if (begins.length === 1) commands.push('other', 'row-1')
    return {
      step: 0,
      role: 'probe-after',
      request: { method: 'POST', url: '', headers: [] },
      response: { status: 200, headers: [], body: { text, bytes: text.length } },
      startedAt: '',
      milliseconds: 0,
    }
  }
  const watch = new CompletionsWatch({ send })
  const request = (begin: unknown) => ({
    method: 'POST',
    path: '/v2/commands/completions',
    headers: [],
    body: Buffer.from(JSON.stringify({ userId: 'ann', beginExclusive: begin })),
  })
  const both = [watch.waitFor(request(0), 'row-1', 3_600_000), watch.waitFor(request(0), 'row-1', 3_600_000)]
  t.strictSame(await Promise.all(both), [2, 2], 'the second completion')
  t.strictSame(begins, [0, 0], 'one request for both')
  t.match(paths[0], /\?limit=1$/, 'the limit returns the first completion immediately')
  t.equal(await watch.waitFor(request(2), 'row-1', 20), 0, 'an earlier completion does not count')
  // After a malformed ledger end.
  for (const nonsense of ['soon', null, {}, 1e300]) {
    begins.length = 0
    t.equal(await watch.waitFor(request(nonsense), 'row-1', 3_600_000), 2)
    t.equal(begins[0], 0, 'a malformed offset counts as 0')
  }
})

t.test('a waiting row releases its slot to other rows', async (t) => {
  const order: string[] = []
  let wake: (() => void) | undefined
  await inParallel(
    ['a', 'b'],
    () => 1,
    async (item, _, rest) => {
      if (item === 'a') {
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        await rest(woken)
      } else wake?.()
      order.push(item)
    },
  )
  t.strictSame(order, ['b', 'a'])
})
