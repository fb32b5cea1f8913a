/** The command that continues an interrupted run. */

import t from 'tap'
import { continuation } from '../../../cli/commands/run-command.js'
import { resumedFlags } from '../../../cli/target/resumed-flags.js'
import type { EndedEarly } from '../../../record/types/reason.js'
import type { RunRecord } from '../../../record/types/record.js'
import { endings, sampleRecord } from '../../support/records/sample-record.js'

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

const call = (record: RunRecord): string | undefined => continuation(record, 'results/a b', 'results/a b.settings.yaml')

t.test('the command names the run and its settings', async (t) => {
  const command = "continue with: conform run --resume 'results/a b' --settings 'results/a b.settings.yaml'"
  t.equal(call(await ended('time-over', {})), command)
  t.equal(call(await ended('target-gone', {})), command)
})

t.test('resume restores each omitted option of the record', async (t) => {
  const { header } = await ended('interrupted', { url: 'http://127.0.0.1:7575' })
  const selection = {
    operations: ['version'],
    only: ['CBI-*'],
    not: ['SAW-*'],
    impact: ['read' as const],
    shard: { index: 1, of: 2 },
  }
  const options = { protocolVersion: 35, allow: ['read' as const] }
  const flags = resumedFlags({}, { ...header, selection, options })
  t.match(flags, { ...selection, ...options, shard: '1/2', seed: header.seed, target: 'http://127.0.0.1:7575' })
})

t.test('a target file can name a suite in another folder', async (t) => {
  const { header } = await ended('interrupted', { url: 'http://participant.example' })
  const elsewhere = { ...header, options: { suite: '.../suite' } }
  t.equal(resumedFlags({ config: 'a.yaml' }, elsewhere)['suite'], undefined)
  t.throws(() => resumedFlags({ target: 'http://participant.example' }, elsewhere), { message: /add --suite PATH$/ })
})

t.test('other runs cannot be continued', async (t) => {
  t.equal(call(await sampleRecord()), undefined)
  t.equal(call(await ended('failed-enough', {})), undefined)
  t.match(call(await ended('interrupted', { embedded: true })), /^A run on the embedded simulator/)
})
