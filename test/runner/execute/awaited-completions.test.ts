/** Rows that wait for a completion: who asks the target for it, and how long a list of them goes on. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { supportOperations } from '../../../interface/operations.js'
import { readRecord } from '../../../record/file/read-record.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { callConform } from '../../support/processes/called-command.js'
import { forwardRequest } from '../../support/servers/gateways.js'
import { listen } from '../../support/servers/raw-target.js'

const { path } = supportOperations.completions

interface Asked {
  limit: string | null
  idle: string | null
}

/** Runs one row that executes; `isSlow` targets list nothing within a moment. */
async function run(t: Test, isSlow: boolean): Promise<{ verdict: string | undefined; asked: Asked[] }> {
  const asked: Asked[] = []
  const { url, close } = await startSimulator()
  t.teardown(() => close())
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', url)
    const [limit, idle] = [searchParams.get('limit'), searchParams.get('stream_idle_timeout_ms')]
    if (pathname === path) asked.push({ limit, idle })
    if (isSlow && pathname === path && idle === '50') {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
    } else forwardRequest(request, response, url, request.url ?? '')
  })
  const folder = t.testdir({})
  const target = await listen(t, server)
  await callConform(
    t,
    { folder, environment: {} },
    'run',
    '--target',
    target,
    '--only',
    'EXE-SIGNED/ed25519',
    '--out',
    'results',
  )
  const { rows } = await readRecord(join(folder, 'results', 'latest', 'run.ndjson'))
  return { verdict: rows[0]?.verdict, asked }
}

t.test('the first that comes is waited for, and the list of the row ends a moment behind its own', async (t) => {
  const { verdict, asked } = await run(t, false)
  t.equal(verdict, 'pass')
  t.strictSame(asked[0], { limit: '1', idle: '300' })
  t.strictSame(asked.at(-1), { limit: '9', idle: '50' })
})

t.test('a target for which a moment is too short is asked as the suite has it', async (t) => {
  const { verdict, asked } = await run(t, true)
  t.equal(verdict, 'pass')
  t.strictSame(asked.at(-1), { limit: '150', idle: '300' })
})
