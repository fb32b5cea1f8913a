/** The command that continues an interrupted run. */
import t from 'tap'
import { type ContinuedCall, continuation } from '../../../cli/target/continue-command.js'
import { restoredOptions, resumedFlags } from '../../../cli/target/resumed-flags.js'
import { camelCase } from '../../../lib/camel-case.js'
import type { EndedEarly } from '../../../record/types/reason.js'
import type { RunRecord } from '../../../record/types/record.js'
import { sampleRecord } from '../../support/records/sample-record.js'

const endings: Readonly<Record<EndedEarly['cause'], EndedEarly>> = {
  interrupted: { cause: 'interrupted', by: 'SIGTERM' },
  'time-over': { cause: 'time-over', minutes: 5 },
  'failed-enough': { cause: 'failed-enough', failed: 1 },
  'target-gone': { cause: 'target-gone', from: '2026-11-21T12:00:00.000Z' },
}

async function ended(cause: EndedEarly['cause'], target: Partial<RunRecord['header']['target']>): Promise<RunRecord> {
  const record = await sampleRecord()
  const { header, footer } = record
  if (!footer) throw new Error('the sample has no footer')
  return {
    ...record,
    header: { ...header, target: { ...header.target, embedded: false, ...target } },
    footer: { ...footer, ended: endings[cause] },
  }
}

const call = (given: ContinuedCall['given'], more: Partial<ContinuedCall> = {}): ContinuedCall => ({
  ...{ given, environment: {}, folder: 'results/a b', suite: undefined, baseline: undefined },
  ...more,
})

t.test('options that the record contains are omitted, all others are repeated', async (t) => {
  const record = await ended('time-over', {})
  const given = {
    ...{ target: 'http://127.0.0.1:7575', only: ['CBI-*'], seed: 'x', shuffle: true, failedOf: 'old', resume: 'older' },
    ...{ out: 'my results', maxTime: '3', waiversLenient: true, user: ['alice=a', 'bob=b'], config: 'x.yaml' },
  }
  t.equal(
    continuation(record, call(given, { baseline: 'results/before/run.ndjson' })),
    "continue with: conform run --resume 'results/a b' --target http://127.0.0.1:7575 --user alice=a bob=b --out 'my results' --max-time 3 --baseline results/before/run.ndjson --waivers-lenient --config x.yaml",
  )
})

t.test('resume restores each omitted option of the record', async (t) => {
  const { header } = await ended('interrupted', { url: 'http://127.0.0.1:7575' })
  const selection = {
    ...{ operations: ['version'], only: ['CBI-*'], not: ['SAW-*'], impact: ['read' as const] },
    shard: { index: 1, of: 2 },
  }
  const options = { protocolVersion: 35, allow: ['read' as const] }
  const flags = resumedFlags({}, { ...header, selection, options })
  for (const name of restoredOptions) t.ok(flags[camelCase(name)] !== undefined, name)
  t.match(flags, { ...selection, ...options, shard: '1/2', seed: header.seed, target: 'http://127.0.0.1:7575' })
})

t.test('a target and a file that resume requires are added', async (t) => {
  const record = await ended('target-gone', { url: 'https://p.example' })
  const command = (more: Partial<ContinuedCall>): string | undefined => continuation(record, call({}, more))
  const begin = "continue with: conform run --resume 'results/a b'"
  t.equal(command({}), `${begin} --target https://p.example`)
  t.equal(command({ environment: { CONFORM_TARGET: 'https://p.example' } }), begin)
  t.equal(command({ environment: { CONFORM_CONFIG: '../t.yaml' } }), `${begin} --config ../t.yaml`)
  const { header } = record
  const other = { ...record, header: { ...header, options: { suite: '.../mine' } } }
  t.equal(
    continuation(other, call({ target: 'https://p.example' }, { suite: '/x/mine' })),
    `${begin} --target https://p.example --suite /x/mine`,
  )
})

t.test('shell variables replace secrets', async (t) => {
  const given = {
    token: ['alice=env:A', 'bob=secret-1', 'secret-2'],
    authorization: 'hs256:secret-3',
    header: ['x-key=secret-4'],
    proxy: 'http://user:secret-5@proxy',
    redact: ['secret-6'],
    clientKeyPassphrase: 'secret-7',
  }
  const text = continuation(await ended('interrupted', {}), call(given)) ?? ''
  t.notMatch(text, 'secret-')
  t.match(text, /^The next command contains no secrets: first set SECRET, TOKEN_1, TOKEN_2, .* this call\.\n/)
  t.match(text, '--authorization hs256:"$SECRET" --token alice=env:A bob="$TOKEN_1" "$TOKEN_2"')
})

t.test('other runs cannot be continued', async (t) => {
  t.equal(continuation(await sampleRecord(), call({})), undefined)
  t.equal(continuation(await ended('failed-enough', {}), call({})), undefined)
  t.match(continuation(await ended('interrupted', { embedded: true }), call({})), /^A run on the embedded simulator/)
})
