/** All rows run with the smallest documented answers of supporting operations, without and with tokens. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRecord } from '../../record/file/read-record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { conform } from '../support/processes/conform-process.js'
import { minimalAnswers } from '../support/servers/minimal-answers.js'

const secret = 'secret-of-the-simulator'
const closing: (() => unknown)[] = []

for (const authorization of ['none', `hs256:${secret}`]) {
  const simulator = await startSimulator(authorization === 'none' ? {} : { authorization })
  const { url, unknown } = await minimalAnswers(
    { teardown: (close: () => unknown) => void closing.push(close) },
    simulator.url,
  )
  const out = await mkdtemp(join(tmpdir(), 'minimal-answers-'))
  const options = ['--allow', 'write', 'topology', 'upload', '--late-check', '0', '--max-time', '60']
  const { code, stdout } = await conform(
    'run',
    '--target',
    url,
    '--authorization',
    authorization,
    '--out',
    out,
    ...options,
  )
  const { rows, footer } = await readRecord(join(out, 'latest', 'run.ndjson.br')).finally(() =>
    rm(out, { recursive: true }),
  )
  if (!footer?.complete) throw new Error(`${authorization}: the run did not complete\n${stdout}`)
  const unpassed = rows.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict)).map(({ id }) => id)
  if (unpassed.length > 0 || unknown.size > 0 || (code !== 0 && code !== 5))
    throw new Error(`${authorization}: ${unpassed.join(', ')}; without a shape: ${[...unknown].join(', ')}\n${stdout}`)
  console.log(`${authorization}: ${rows.length} rows, none failed or blocked`)
  await simulator.close()
}
for (const close of closing) await close()
