/** Shells run the printed curl commands, and read the printed commands, of some failures of a run with tokens. They reproduce the report. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { readRun } from '../../../cli/output/read-run.js'
import { findOverrides } from '../../../lab/find-overrides.js'
import type { RunRecord, RunRow } from '../../../record/types/record.js'
import { decisiveExchange } from '../../../reports/wording/reason.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { commandLine, conformIn, endOf } from '../../support/processes/conform-process.js'
import { inWords } from '../../support/words/in-words.js'

const secret = 'the secret of a participant'
const existing = 'bob-of-the-settings'
const sampled = 12
const shells = ['sh', 'bash', 'zsh']

interface Printed {
  row: RunRow
  curl: string
  again: string
}

/** Equally spaced among the failures of the report. */
async function printedCommands(record: RunRecord, folder: string): Promise<Printed[]> {
  const tap = await readFile(join(folder, 'results/latest/run.tap'), 'utf8')
  const points = [...tap.matchAll(/^not ok \d+ - (\S+): .*\n {2}---\n([\s\S]*?)\n {2}\.\.\.$/gm)]
  const all = points.map(([, id, yaml = '']): Printed => {
    const row = record.rows.find((one) => one.id === id)
    if (!row) throw new Error(`the record has no row ${id}`)
    return { row, ...(parse(yaml) as { curl: string; again: string }) } // as the report writes it
  })
  // The record contains the first part of a long body, and the printed command states this.
  const printed = all.filter(({ curl }) => !curl.includes('\n# incomplete: '))
  return Array.from({ length: sampled }, (_, index) => printed[Math.floor((index * printed.length) / sampled)]).flatMap(
    (one) => one ?? [],
  )
}

/** Each shell runs a third of the commands, with the programs in `bin`. Returns the output of each command. */
async function paste(folder: string, bin: string, commands: readonly string[]): Promise<string[]> {
  const outputs: string[] = []
  // One after the other, because they share tokens.
  for (const [index, shell] of shells.entries()) {
    const child = spawn(shell, [], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: `${bin}:${process.env['PATH']}`, NO_COLOR: '1', KEY: secret },
    })
    const own = commands.flatMap((command, at) => (at % shells.length === index ? [{ command, at }] : []))
    child.stdin.end(own.map(({ command }) => `${command} 2>&1\necho; echo "@@ $?"\n`).join(''))
    const parts = (await endOf(child)).stdout.split(/^@@ \d+\n/m)
    for (const [part, { at }] of own.entries()) outputs[at] = parts[part] ?? ''
  }
  return outputs
}

async function failedRun(t: Test): Promise<{ folder: string; printed: Printed[] }> {
  const folder = t.testdir({})
  const simulator = await startSimulator({
    authorization: `hs256:${secret}`,
    users: [{ id: existing }],
    overrides: findOverrides({ mutant: 'in-a-list-contract-by-id' }),
  })
  t.teardown(() => simulator.close())
  const { code, stderr } = await conformIn(
    { folder, environment: { KEY: secret } },
    ...['run', '--target', simulator.url, '--authorization', 'hs256-env:KEY', '--keep-users', '--late-check', '0'],
    ...['--only', 'CBI-CONTENT', 'CBI-WITNESSES', 'CBI-VISIBILITY', '--user', `bob=${existing}`, '--allow', 'write'],
  )
  t.equal(code, 1, stderr)
  return { folder, printed: await printedCommands(await readRun(join(folder, 'results')), folder) }
}

/** A folder with a program `conform`. */
function programFolder(folder: string, script: string): string {
  mkdirSync(folder, { recursive: true })
  const command = join(folder, 'conform')
  writeFileSync(command, `#!/bin/sh\n${script}\n`)
  chmodSync(command, 0o755)
  return folder
}

t.test('printed commands reproduce the report', async (t) => {
  const { folder, printed } = await failedRun(t)
  t.equal(printed.length, sampled)
  t.equal(new Set(printed.map(({ row }) => row.id)).size, sampled)
  t.notMatch(JSON.stringify(printed.map(({ curl, again }) => [curl, again])), secret)

  const program = `'${process.execPath}' '${commandLine[0]}' "$@"`
  const programs = programFolder(join(folder, 'programs'), `[ "$1" = token ] || exec ${program}\n${tokenOnce(program)}`)
  const answers = await paste(
    folder,
    programs,
    printed.map(({ curl }) => curl),
  )
  for (const [index, { row, curl }] of printed.entries()) {
    const response = decisiveExchange(row)?.response
    const [, status, body] = /HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n([\s\S]*)\n$/.exec(answers[index] ?? '') ?? []
    t.equal(Number(status), response?.status, `${curl}\n${answers[index]}`)
    t.equal(withoutTrace(body), withoutTrace(response?.body.text), row.id)
  }

  // All commands have the same words but the row, so one run repeats them all.
  const words = await paste(
    folder,
    programFolder(join(folder, 'printers'), `printf '%s\\n' "$@"`),
    printed.map(({ again }) => again),
  )
  const ids = printed.map(({ row }) => row.id)
  const [run, ...others] = words.map((text, index) => withoutRow(text.trimEnd().split('\n'), ids[index]))
  t.ok(run)
  for (const other of others) t.strictSame(other, run)
  const { code, stderr } = await conformIn(
    { folder, environment: { KEY: secret } },
    ...[...(run ?? []), '--only', ...ids, '--out', 'again'],
  )
  t.equal(code, 1, stderr)
  const repeated = new Map((await readRun(join(folder, 'again'))).rows.map((row) => [row.id, row]))
  for (const { row } of printed) {
    t.equal(repeated.get(row.id)?.verdict, row.verdict, row.id)
    t.equal(withoutIds(inWords(repeated.get(row.id)?.reason)), withoutIds(inWords(row.reason)), row.id)
  }
})

/** The curl commands call `conform token`, which starts once for each token. */
const tokenOnce = (program: string): string =>
  `file=token-$(printf '%s\\n' "$@" | cksum | tr ' ' -)\n[ -s "$file" ] || ${program} > "$file" || exit\ncat "$file"`

/** The words of a command without `--only` and its row. */
function withoutRow(words: readonly string[], id: string | undefined): string[] {
  const at = words.indexOf('--only')
  if (at === -1 || words[at + 1] !== id) throw new Error(`${words.join(' ')} does not select ${id}`)
  return words.toSpliced(at, 2)
}

/** Each answer with an error has its own trace. */
const withoutTrace = (text: string | undefined): string => String(text).replace(/"[0-9a-f]{32}"/g, '"trace"')

/** Each run has its own contracts and parties. */
const withoutIds = (text: string | undefined): string =>
  String(text)
    .replace(/ … \[cut: .*/, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/[0-9a-f]{5,}…?|"offset":\d+/g, 'id')
