/** The ledger is looked at for all rows at once, and completions are watched for all that wait. */
import t from 'tap'
import { type JsonValue, parseJson } from '../../../lib/json/json.js'
import type { Evidence } from '../../../record/types/record.js'
import { CompletionsWatch } from '../../../runner/execute/completions-watch.js'
import { inParallel } from '../../../runner/execute/in-parallel.js'
import { LateChecks } from '../../../runner/late-effects/late-checks.js'
import { LedgerWatch } from '../../../runner/late-effects/ledger-watch.js'
import type { Caller } from '../../../runner/provision/caller.js'
import { EarlyEnd } from '../../../runner/transport/early-end.js'

/** A ledger of commands, each at the offset that follows the last one. */
function ledger() {
  const commands: string[] = []
  const asked: string[] = []
  const call: Caller = async (operation, body) => {
    asked.push(operation)
    if (operation === 'ledger-end') return { offset: commands.length }
    const begin = Number((body as { beginExclusive: number }).beginExclusive) // what a watch asks for
    return commands.map(update).slice(begin, begin + 150)
  }
  return { commands, asked, call }
}

const update = (commandId: string, index: number): JsonValue => ({
  update: { Transaction: { value: { updateId: `u${index + 1}`, offset: index + 1, commandId } } },
})

const marker = /run-0\d{5}/
const watchOf = (call: Caller): LedgerWatch => new LedgerWatch('http://a/', [{ call, parties: ['alice'] }], marker)
const idsIn = (look: Evidence | undefined): string[] =>
  [...(look?.response?.body.text ?? '').matchAll(/"u\d+"/g)].map(([id]) => id)

t.test('what comes late is seen by the row that it is of, page after page', async (t) => {
  const { commands, asked, call } = ledger()
  commands.push('run-000001 of before')
  const watch = watchOf(call)
  await watch.begin()
  const looks = new LateChecks(watch, { after: 60, end: new EarlyEnd() })
  // Both rows end at the same instant, however busy the machine is.
  const { now } = performance
  const instant = performance.now()
  performance.now = () => instant
  const [first, second] = [looks.at('run-000001', 3), looks.at('run-000002', 0)]
  performance.now = now
  commands.push(...Array.from({ length: 160 }, (_, index) => `other ${index}`), 'command run-000001')
  t.strictSame(idsIn(await first), ['"u162"'])
  t.match(await first, { step: 3, role: 'late-look', request: { url: 'http://a/v2/updates' } })
  t.strictSame(idsIn(await second), [])
  t.equal(asked.filter((name) => name === 'ledger-end').length, 2, 'once at the beginning, and once for both')
})

t.test('a run that ends early waits for nobody, and neither does one that cannot look', async (t) => {
  const { call } = ledger()
  const end = new EarlyEnd()
  const watch = watchOf(call)
  const looks = new LateChecks(watch, { after: 3_600_000, end })
  const held = looks.at('run-000001', 0)
  end.decide({ cause: 'interrupted', sentence: 'Somebody ended it.' })
  t.equal(await held, undefined)
  t.equal(await looks.at('run-000002', 0), undefined)
  const told: string[] = []
  const broken = watchOf(() => Promise.reject(new Error('no way')))
  const blind = new LateChecks(broken, { after: 0, end: new EarlyEnd(), failed: (why) => told.push(why) })
  t.strictSame(await Promise.all([blind.at('run-000001', 0), blind.at('run-000002', 0)]), [undefined, undefined])
  t.strictSame(told, ['no way'])
})

t.test('who waits for a completion is told when it has come, and one asks for all', async (t) => {
  const commands: string[] = []
  const asked: number[] = []
  const paths: string[] = []
  const send = async ({ body, path }: { body: Buffer | undefined; path: string }): Promise<Evidence> => {
    paths.push(path)
    const { beginExclusive } = parseJson(String(body)) as { beginExclusive: number } // what the watch sends
    asked.push(beginExclusive)
    const items = commands.map((commandId, index) => ({
      completionResponse: { Completion: { value: { commandId, offset: index + 1 } } },
    }))
    const text = JSON.stringify(items.slice(beginExclusive))
    if (asked.length === 1) commands.push('other', 'row-1')
    return {
      ...{ step: 0, role: 'probe-after', request: { method: 'POST', url: '', headers: [] } },
      response: { status: 200, headers: [], body: { text, bytes: text.length } },
      ...{ startedAt: '', milliseconds: 0 },
    }
  }
  const watch = new CompletionsWatch({ send })
  const request = (begin: unknown) => ({
    ...{ method: 'POST', path: '/v2/commands/completions', headers: [] },
    body: Buffer.from(JSON.stringify({ userId: 'ann', beginExclusive: begin })),
  })
  const before = performance.now()
  const both = [watch.waitFor(request(0), 'row-1', 3_600_000), watch.waitFor(request(0), 'row-1', 3_600_000)]
  t.strictSame(await Promise.all(both), [2, 2], 'the second that came')
  t.strictSame(asked, [0, 0], 'for both at once')
  t.match(paths[0], /\?limit=1$/, 'with one answered is the first that comes')
  t.equal(await watch.waitFor(request(2), 'row-1', 20), 0)
  t.ok(performance.now() - before < 60_000, 'what was there before is no news, and nobody waits for ever')
  // As a target has it that tells nonsense of the end of its ledger.
  for (const nonsense of ['soon', null, {}, 1e300]) {
    asked.length = 0
    t.equal(await watch.waitFor(request(nonsense), 'row-1', 3_600_000), 2)
    t.equal(asked[0], 0, 'a beginning that is none is the beginning')
  }
})

t.test('who rests lets others go ahead', async (t) => {
  const told: string[] = []
  let wake: (() => void) | undefined
  await inParallel(['a', 'b'], 1, async (item, _, rest) => {
    if (item === 'a') {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await rest(woken)
    } else wake?.()
    told.push(item)
  })
  t.strictSame(told, ['b', 'a'])
})
