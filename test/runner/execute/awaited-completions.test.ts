/** Requests of rows that wait for a completion. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { supportOperations } from '../../../interface/operations.js'
import { readRecord } from '../../../record/file/read-record.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { conformIn } from '../../support/processes/conform-process.js'
import { forwardRequest } from '../../support/servers/gateways.js'
import { listen } from '../../support/servers/raw-target.js'

const { path } = supportOperations.completions

interface Query {
  limit: string | null
  idle: string | null
}

/** Runs one row that executes a transaction. A slow target lists nothing within the shortened idle timeout. */
async function run(t: Test, isSlow: boolean): Promise<{ verdict: string | undefined; queries: Query[] }> {
  const queries: Query[] = []
  const { url, close } = await startSimulator()
  t.teardown(() => close())
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', url)
    const [limit, idle] = [searchParams.get('limit'), searchParams.get('stream_idle_timeout_ms')]
    // A check of the operation has no limit.
    if (pathname === path && limit !== null) queries.push({ limit, idle })
    if (isSlow && pathname === path && idle === '50') {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
    } else forwardRequest(request, response, url, request.url ?? '')
  })
  const folder = t.testdir({})
  const target = await listen(t, server)
  await conformIn({ folder }, 'run', '--target', target, '--only', 'EXE-SIGNED/ed25519', '--out', 'results')
  const { rows } = await readRecord(join(folder, 'results', 'latest', 'run.ndjson.br'))
  return { verdict: rows[0]?.verdict, queries }
}

t.test('the run waits for one completion, and the row then sends a short request', async (t) => {
  const { verdict, queries } = await run(t, false)
  t.equal(verdict, 'pass')
  t.strictSame(queries[0], { limit: '1', idle: '300' })
  t.strictSame(queries.at(-1), { limit: '9', idle: '50' })
})

t.test('the row sends the original request to a slow target', async (t) => {
  const { verdict, queries } = await run(t, true)
  t.equal(verdict, 'pass')
  t.strictSame(queries.at(-1), { limit: '150', idle: '300' })
})
