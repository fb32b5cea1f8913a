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
  const failures = {
    'a failed assertion': "t.test('one', async (t) => t.equal(1, 2))",
    'a failed assertion in a test of a test': "t.test('one', (t) => t.test('two', async (t) => t.match('a', /b/)))",
    'a thrown error': "t.test('one', async () => { throw new Error('x') })",
    'an error of a teardown': "t.teardown(() => { throw new Error('x') }); t.pass('one')",
    'a test without an end': "t.test('one', (t) => { t.pass('two') })",
    'an error in a callback': "t.test('one', (t) => { setTimeout(() => { throw new Error('x') }) })",
    'an unhandled rejection':
      "t.test('one', async (t) => { Promise.reject(new Error('x')); await new Promise(setImmediate) })",
  }
  for (const [title, line] of Object.entries(failures)) assert.equal(run(t, line).status, 1, title)
  const { stdout } = run(t, '', "t.test('one', async (t) => t.equal(1, 2))")
  assert.match(stdout, /lineNumber: 3\n/, 'the place')
  const late =
    "t.test('two', (t) => { setTimeout(() => { throw new Error('x') }) }); t.test('three', async (t) => t.ok(1))"
  assert.match(
    run(t, "t.test('one', async (t) => t.ok(1))", late).stdout,
    /^ok 1 - one[\s\S]*^not ok 2 - two[\s\S]*^ok 3 - three/m,
  )
  t.end()
})

t.test('a teardown of the file ends it, although a server listens', (t) => {
  const lines = ["import { createServer } from 'node:http'", 'const server = createServer().listen(0)']
  const { status, stdout } = run(t, ...lines, 't.teardown(() => server.close())', "t.test('one', async (t) => t.ok(1))")
  assert.match(stdout, /^# \{ total: 1, pass: 1 \}$/m)
  assert.equal(status, 0)
  t.end()
})
