/** The servers of docs/implementing.md run as it states. `npm run check:implementing` compares its tables. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { operationNames, operations } from '../../interface/operations.js'
import { readRecord } from '../../record/file/read-record.js'
import type { RunRecord } from '../../record/types/record.js'
import { conformIn, type Ended } from '../support/processes/conform-process.js'

const project = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(join(project, 'docs/implementing.md'), 'utf8')
const [server = '', , route = ''] = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, content = '']) => content)
const withRoute = `import { randomBytes } from 'node:crypto'\n${server.replace('const contractId', `${route}const contractId`)}`

async function startServer(t: Test, code: string): Promise<string> {
  const folder = t.testdir({ 'server.mjs': code })
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  const env = { ...process.env, PORT: '0' }
  const child = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const errors: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  const closed = once(child, 'close')
  t.teardown(async () => {
    child.kill()
    await closed
  })
  await Promise.race([
    once(child.stdout, 'data'),
    closed.then(() => {
      throw new Error(errors.join(''))
    }),
  ])
  return folder
}

async function runIn(folder: string, ...words: string[]): Promise<Ended & { record: RunRecord }> {
  const ended = await conformIn({ folder, environment: { NO_COLOR: '1' } }, 'run', '--operations', ...words)
  return { ...ended, record: await readRecord(join(folder, 'results/latest/run.ndjson.br')) }
}

/** Rows without tokens that need only this operation, the given parties and the given contract. */
const ownRows = ({ rows }: RunRecord): string[] =>
  rows.flatMap(({ id, resolved: { needs, steps, fixtures, control } }) => {
    const isGiven = (name: string): boolean => ['alice', 'bob', 'carol', 'ping'].includes(name) || name === control
    const isOwn = steps.every(({ operation }) => operation === 'contract-by-id') && fixtures.every(isGiven)
    return isOwn && !needs.includes('authorization') ? [id] : []
  })

const judged = ({ rows }: RunRecord): string[] => rows.filter(({ evidence }) => evidence.length > 0).map(({ id }) => id)

t.test('a server with contract-by-id alone', async (t) => {
  t.ok(server.trimEnd().split('\n').length <= 40, 'it has at most 40 lines')
  const { code, stdout, stderr, record } = await runIn(await startServer(t, server), 'contract-by-id')
  t.equal(code, 1, stderr)
  t.match(stdout, /✗ fail {2}CBI-/, 'the first failing row')
  t.ok(ownRows(record).length > 100)
  t.strictSame(judged(record).toSorted(), ownRows(record).toSorted())
  t.strictSame([...new Set(record.rows.map(({ resolved }) => resolved.operation))], ['contract-by-id'])
  const others = operationNames.filter((name) => name !== 'contract-by-id' && name !== 'submit-and-wait')
  for (const name of others) t.notOk((stdout + stderr).includes(operations[name].path), name)
  const messages = stderr.split('\n').filter((line) => line.startsWith('! '))
  t.ok(messages.length > 0 && messages.every((line) => line.includes('State these fixtures under given')), stderr)
})

t.test('the same server with submit-and-wait', async (t) => {
  const names = ['contract-by-id', 'submit-and-wait']
  const { code, stdout, record } = await runIn(await startServer(t, withRoute), ...names, '--only', 'SAW-*')
  t.equal(code, 1)
  t.ok(judged(record).length >= 30, `${judged(record).length} rows`)
  t.strictSame([...new Set(record.rows.map(({ resolved }) => resolved.operation))], ['submit-and-wait'])
  for (const name of operationNames.filter((one) => !names.includes(one)))
    t.notOk(stdout.includes(operations[name].path), name)
})
