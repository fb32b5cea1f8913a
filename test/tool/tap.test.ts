/** The test library as tools/tap composes it: failures reach the exit code and name their place. Its own assertions cannot prove that. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const project = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs a test file of these lines. */
function run(t: Test, ...lines: string[]) {
  const folder = t.testdir({ 'a.test.mjs': ["import t from 'tap'", ...lines].join('\n') })
  const { status, stdout } = spawnSync(process.execPath, [`${folder}/a.test.mjs`], { cwd: project, encoding: 'utf8' })
  return { status, stdout }
}

t.test('failed assertions, thrown errors and unfinished tests fail the process', (t) => {
  const wrong = [
    "t.test('a failed assertion', async (t) => t.equal(1, 2))",
    "t.test('a failed assertion in a test of a test', (t) => t.test('two', async (t) => t.match('a', /b/)))",
    "t.test('a thrown error', async () => { throw new Error('x') })",
    "t.test('an error in a callback', (t) => { setTimeout(() => { throw new Error('x') }) })",
  ]
  const right = (title: string) => `t.test('${title}', async (t) => t.ok(1))`
  const { status, stdout } = run(t, right('before'), ...wrong, right('after'))
  assert.equal(status, 1)
  const titles = wrong.map((line) => /'([^']+)'/.exec(line)?.[1])
  assert.deepEqual(stdout.match(/^(?:not )?ok \d+ - [^#\n]*[^#\s]/gm), [
    'ok 1 - before',
    ...titles.map((title, index) => `not ok ${index + 2} - ${title}`),
    'ok 6 - after',
  ])
  assert.match(stdout, /lineNumber: 3\n/, 'the place of the first')
  const alone = {
    'an error of a teardown': "t.teardown(() => { throw new Error('x') }); t.pass('one')",
    'a test without an end': "t.test('one', (t) => { t.pass('two') })",
    'an unhandled rejection':
      "t.test('one', async (t) => { Promise.reject(new Error('x')); await new Promise(setImmediate) })",
  }
  for (const [title, line] of Object.entries(alone)) assert.equal(run(t, line).status, 1, title)
  t.end()
})

t.test('a teardown of the file ends it, although a server listens', (t) => {
  const lines = ["import { createServer } from 'node:http'", 'const server = createServer().listen(0)']
  const { status, stdout } = run(t, ...lines, 't.teardown(() => server.close())', "t.test('one', async (t) => t.ok(1))")
  assert.match(stdout, /^# \{ total: 1, pass: 1 \}$/m)
  assert.equal(status, 0)
  t.end()
})
