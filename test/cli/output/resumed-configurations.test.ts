/** Interrupted runs in several configurations: completed ones remain, and the others continue. */
import { appendFile, cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readParts } from '../../../cli/output/read-run.js'
import type { RunRecord } from '../../../record/types/record.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { type CalledCommand, callRun } from '../../support/processes/called-command.js'
import { lookupRows, writeLookupSuite } from '../../support/suites/lookup-suite.js'

const secret = 'a-secret-of-the-second-configuration'
const folder = t.testdir({ suite: {} })
const suite = await writeLookupSuite(join(folder, 'suite'))
const rule =
  'id: LOOK-TOKEN, statement: Callers have a token., strength: must, section: Lookups, passages: [paragraph 4]'
await appendFile(join(suite, 'rules/general.yaml'), `  - { ${rule} }\n`)
await appendFile(
  join(suite, 'cases/contract-by-id/look-up.yaml'),
  `  - id: LOOK-WITH-TOKEN
    title: Nothing is found of what is unknown, with a token either
    rules: [LOOK-TOKEN]
    needs: [authorization]
    request: look-up
    outcome: unknown-contract
    rows:
      - { id: one, edit: { /contractId: '00${'ab'.repeat(32)}' } }
      - { id: two, edit: { /contractId: '00${'cd'.repeat(32)}' } }
`,
)
const [open, strict] = await Promise.all([startSimulator(), startSimulator({ authorization: `hs256:${secret}` })])
t.teardown(() => Promise.all([open.close(), strict.close()]))

const config = join(folder, 'both.yaml')
const second = { target: strict.url, authorization: `hs256:${secret}` }
await writeFile(config, JSON.stringify({ target: open.url, 'late-check': 0, configurations: [second] }))
const whole = join(folder, 'whole')
const ran = await callRun(t, { suite, config, out: whole, record: 'plain' })
t.equal(ran.code, 0, ran.stdout + ran.stderr)

/** A copy of the run as if it had been killed; `change` receives its folder. */
async function killed(name: string, change: (run: string) => Promise<void>): Promise<string> {
  const copy = join(folder, name)
  await cp(join(whole, 'latest'), copy, { recursive: true, dereference: true })
  await change(copy)
  return copy
}

/** Removes the footer and the last rows. */
async function cut(file: string, rows: number): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  await writeFile(file, `${lines.slice(0, -1 - rows).join('\n')}\n`)
}

const resumed = (t: Test, run: string, out: string, settings = config): Promise<CalledCommand> =>
  callRun(t, { suite, config: settings, resume: run, out: join(folder, out) })

const states = (records: readonly RunRecord[]) =>
  records.map(({ header, rows, footer }) => [header.resumes?.length ?? 0, rows.length, footer?.complete])

t.test('the second configuration continues, and the first one remains', async (t) => {
  const run = await killed('second-cut', (run) => cut(join(run, 'run-2.ndjson'), 1))
  const { code, stdout, stderr } = await resumed(t, run, 'second')
  t.equal(code, 0, stdout + stderr)
  const records = await readParts(join(folder, 'second'))
  t.strictSame(states(records), [
    [0, lookupRows + 2, true],
    [1, 2, true],
  ])
  const text = (of: string): Promise<string> => readFile(join(of, 'run.ndjson'), 'utf8')
  t.equal(await text(join(folder, 'second', 'latest')), await text(run), 'byte by byte')
  t.equal(records[1]?.header.seed, (await readParts(run))[1]?.header.seed)
})

t.test('a configuration that had not started is run', async (t) => {
  const run = await killed('second-missing', (run) => rm(join(run, 'run-2.ndjson')))
  const { code, stdout, stderr } = await resumed(t, run, 'begun')
  t.equal(code, 0, stdout + stderr)
  t.strictSame(states(await readParts(join(folder, 'begun'))), [
    [0, lookupRows + 2, true],
    [0, 2, true],
  ])
})

t.test('the first configuration continues, and the others follow', async (t) => {
  const run = await killed('first-cut', async (run) => {
    await cut(join(run, 'run.ndjson'), 20)
    await rm(join(run, 'run-2.ndjson'))
  })
  const { code, stdout, stderr } = await resumed(t, run, 'first')
  t.equal(code, 0, stdout + stderr)
  t.strictSame(states(await readParts(join(folder, 'first'))), [
    [1, lookupRows + 2, true],
    [0, 2, true],
  ])
})

t.test('a complete run is not resumed, nor a run whose configuration is missing', async (t) => {
  const completed = await resumed(t, join(whole, 'latest'), 'none')
  t.match(completed, { code: 2, stderr: 'resume: this run is already complete. Start a new run without --resume.\n' })
  const run = await killed('unknown', (run) => cut(join(run, 'run-2.ndjson'), 1))
  const others = join(folder, 'others.yaml')
  const elsewhere = { ...second, target: 'http://127.0.0.1:1' }
  await writeFile(others, JSON.stringify({ target: open.url, 'late-check': 0, configurations: [elsewhere] }))
  const unknown = await resumed(t, run, 'none', others)
  t.equal(unknown.code, 2)
  t.match(
    unknown.stderr,
    /^resume: the settings have no configuration for run .* on http:\S+; add (it|--settings \S+), or start a new run/,
  )
})
