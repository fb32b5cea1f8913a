/**
 * Runs the commands of the documentation.
 *
 * The lines of a block run in one shell. Each block has its own folder with the files of the documents: results of runs, a target file, a
 * saved state. Four things differ from a reader's shell:
 * - Without npm, `npx` starts the program. `runNpx` uses npm.
 * - A run performs few rows: one row, or one of 150 shards of the selected rows (`--only`), or the failed rows (`--failed-of`).
 * - Exit code 1 of `run` is accepted.
 * - Port 7575 is replaced by the port of the shared simulator, or of the simulator that the block starts.
 */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Test } from 'tap'
import { findOverrides } from '../../lab/find-overrides.js'
import { startSimulator } from '../../simulator/simulator.js'
import { conform, simulate } from '../support/processes/conform-process.js'
import { type Block, runnable } from '../tool/documented-commands.js'
import { type ProgramResult, start } from './start-program.js'

const profilesPage = new URL('../../../docs/profiles.md', import.meta.url)

export interface Place {
  /** Links for a new folder: target paths by name. */
  entries: Record<string, string>
  /** Folder of the program for npx. */
  bin: string
}

export async function runBlocks(t: Test, place: Place, blocks: readonly Block[]): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'documented-'))
  t.teardown(() => rm(work, { recursive: true, force: true }))
  const simulator = await simulate('--control')
  t.teardown(() => simulator.stop())
  const files = await makeFiles(work, simulator.url)
  for (const block of blocks.filter((each) => runnable(each).length > 0)) {
    const { code, output } = await runBlock({
      place,
      files,
      block,
      shared: simulator.url,
      folder: await mkdtemp(join(work, 'block-')),
    })
    t.equal(code, 0, `${block.place}${code === 0 ? '' : `\n${output}`}`)
  }
}

/** Starts the command with the real npx. */
export async function runNpx(t: Test, { entries }: Place): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'npx-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  for (const [entry, path] of Object.entries(entries)) await symlink(path, join(folder, entry))
  const help = await start(folder, 'npx', '--no', '--', 'participant-conformance', 'doctor', '--help')
  t.equal(help.code, 0, help.output)
  t.match(help.stdout, /^Usage: conform doctor /)
}

/** Files of the documents: results of a run with a failed row, a target file, a profile and a state of the simulator at `url`. */
async function makeFiles(work: string, url: string): Promise<string> {
  const files = join(work, 'files')
  const results = join(files, 'results')
  const faulty = await startSimulator({ overrides: findOverrides({ mutant: 'looked-up-created-event-left-out' }) })
  const run = await conform('run', '--target', faulty.url, '--only', 'CBI-CONTENT/*', '--out', results)
  await faulty.close()
  if (run.code !== 1)
    throw new Error(`the run against a faulty simulator ended with ${run.code}: ${run.stdout}${run.stderr}`)
  for (const name of ['last-good', 'archive', 'ours/results', 'theirs/results'])
    await cp(results, join(files, name), { recursive: true })
  await cp(join(results, 'latest/run.ndjson.br'), join(files, 'run.ndjson.br'))
  await cp(join(results, 'latest/run.ndjson.br'), join(files, 'yesterday/run.ndjson.br'))
  await writeFile(join(files, 'target.yaml'), `target: ${url}\n`)
  const [, profile = ''] =
    /```yaml\n(profile: my-participant\n[\s\S]*?)```/.exec(await readFile(profilesPage, 'utf8')) ?? []
  await writeFile(join(files, 'my-participant.yaml'), profile)
  await writeFile(join(files, 'state.json'), await (await fetch(`${url}/control/state`)).text())
  return files
}

/** The next simulator, or the end of the shell, stops a simulator. A simulator is ready when it prints its URL, which sets `$port`. */
const prelude = `
npx() { "$@"; }
curl() { command curl --silent --show-error --fail-with-body "\${@//7575/$port}"; }
participant-conformance() {
  set -- "\${@//7575/$port}"
  case "$1" in
    simulate) start_simulator "$@" ;;
    run) case "$*" in
        *--failed-of*) command participant-conformance "$@" ;;
        *--only*) CONFORM_SHARD=1/150 command participant-conformance "$@" ;;
        *) CONFORM_ONLY=CBI-CONTENT/argument command participant-conformance "$@" ;;
      esac || [ $? = 1 ] ;;
    *) command participant-conformance "$@" ;;
  esac
}
simulator=
stop_simulator() { if [ -n "$simulator" ]; then kill "$simulator"; wait "$simulator" || true; simulator=; fi; }
start_simulator() {
  stop_simulator
  exec 3< <(exec "$(type -P participant-conformance)" "$@" --port 0)
  simulator=$!
  read -r url <&3
  port=\${url##*:}
}
trap stop_simulator EXIT
`

/** Runs before each line, because the lines of a document are mostly alternatives. */
const restoreResults = 'rm -rf results; cp -R "$files/results" results'

interface Work {
  place: Place
  files: string
  block: Block
  shared: string
  folder: string
}

async function runBlock({ place, files, block, shared, folder }: Work): Promise<ProgramResult> {
  await cp(files, folder, { recursive: true, verbatimSymlinks: true })
  for (const [name, path] of Object.entries(place.entries)) await symlink(path, join(folder, name))
  const lines = runnable(block).map(({ text }) => text)
  const script = lines
    // The shell function starts it in the background.
    .map((line) => line.replace(/ --port 7575\b/, '').replace(/( simulate .*) &$/, '$1'))
    .join(`\n${restoreResults}\n`)
  const variables = { files, port: new URL(shared).port, CONFORM_LATE_CHECK: '0', GITHUB_STEP_SUMMARY: 'summary.md' }
  const environment = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`)
  const path = `export PATH='${place.bin}'${delimiter}"$PATH"`
  return start(folder, 'bash', '-euo', 'pipefail', '-c', [path, ...environment, prelude, script].join('\n'))
}
