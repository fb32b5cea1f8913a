/** `run --watch`. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { repeatedRunText } from '../../../../cli/console/repeated-run.js'
import { startSimulator } from '../../../../simulator/simulator.js'
import { commandLine, conform, conformProcess } from '../../../support/processes/conform-process.js'
import { sampleRow } from '../../../support/records/sample-row.js'
import { writeLookupSuite } from '../../../support/suites/lookup-suite.js'

/** Resolves with the output since the last call, as soon as it matches. */
function outputOf(child: ChildProcessWithoutNullStreams): (pattern: RegExp) => Promise<string> {
  let text = ''
  let check: () => void = () => undefined
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more
      check()
    })
  return (pattern) =>
    new Promise((resolve) => {
      check = () => {
        const found = pattern.exec(text)
        if (!found) return
        const end = found.index + found[0].length
        const until = text.slice(0, end)
        text = text.slice(end)
        check = () => undefined
        resolve(until)
      }
      check()
    })
}

const waiting = /Press Enter to run again, or Ctrl-C to stop\.\n/

t.test('a missing file is named, and the process ends', { timeout: 30_000 }, async (t) => {
  const missing = join(t.testdir(), 'none.js')
  const { code, stderr } = await conformProcess('run', '--watch', missing)
  t.equal(code, 2)
  t.equal(stderr, `watch: ${missing} cannot be watched (ENOENT: no such file or folder)\n`)
})

t.test('a change of a suite file, of the target file, of a given file, or Enter starts the run again', async (t) => {
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  const folder = t.testdir({ 'server.js': '', 'target.yaml': `target: ${simulator.url}\nonly: LOOK-KNOWN/*\n` })
  await writeLookupSuite(join(folder, 'suites'))
  const words = ['run', '--watch', '--config', 'target.yaml', '--suite', 'suites', '--late-check', '0']
  const child = spawn(process.execPath, [...commandLine, ...words, '--watch', 'server.js'], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
  })
  t.teardown(() => child.kill('SIGKILL'))
  const until = outputOf(child)
  const first = await until(waiting)
  t.match(first, /^PASS/m)
  t.match(first, /\n0 rows not passed, 0 other rows changed, \d+ passed or not applicable\n/)

  const file = join(folder, 'suites/cases/contract-by-id/look-up.yaml')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text)
  t.match(await until(waiting), /passed or not applicable as before\n/)

  writeFileSync(
    join(folder, 'target.yaml'),
    readFileSync(join(folder, 'target.yaml'), 'utf8').replace('KNOWN', 'NOTHING'),
  )
  t.match(await until(waiting), /The run was limited to "LOOK-NOTHING/)

  writeFileSync(join(folder, 'server.js'), 'changed')
  t.match(await until(waiting), /as before\n/)

  child.stdin.write('\n')
  t.match(await until(waiting), /as before\n/)

  writeFileSync(file, 'cases: [')
  t.match(await until(waiting), /look-up\.yaml:1/)
  writeFileSync(file, text)
  t.match(await until(waiting), /^PASS/m)

  child.kill('SIGINT')
  t.strictSame(await once(child, 'close'), [0, null])
})

t.test('failures are first, with their previous verdicts', (t) => {
  const rows = [
    sampleRow('A/passes', { verdict: 'pass' }),
    sampleRow('A/fixed', { verdict: 'pass' }),
    sampleRow('A/broken', { verdict: 'fail' }),
    sampleRow('A/still', { verdict: 'fail' }),
    sampleRow('A/new', { verdict: 'blocked' }),
  ]
  const before = new Map([
    ...[['A/passes', 'pass'] as const, ['A/fixed', 'fail'] as const],
    ...[['A/broken', 'pass'] as const, ['A/still', 'fail'] as const],
  ])
  t.equal(
    repeatedRunText(rows, before, { color: false }),
    `✗ fail            A/broken  before: pass
■ blocked         A/new
✗ fail            A/still  as before
✓ pass            A/fixed  before: fail
3 rows not passed, 1 other row changed, 1 passed or not applicable as before`,
  )
  t.end()
})

t.test('runs that cannot be repeated are rejected', async (t) => {
  const { code, stderr } = await conform('run', '--watch', '--dry-run')
  t.match({ code, stderr }, { code: 2, stderr: /^watch: --resume and --dry-run cannot be repeated; remove them\n/ })
})
