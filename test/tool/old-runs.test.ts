/** The commands that remove old runs. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const project = fileURLToPath(new URL('../../../', import.meta.url))

for (const [file, results] of [
  ['docs/nightly.md', 'results'],
  ['examples/ci/kubernetes-cronjob.yaml', 'nights'],
] as const)
  t.test(`the command of ${file} keeps 30 runs, and removes settings files with their runs`, (t) => {
    const folder = t.testdir({})
    const runs = Array.from({ length: 33 }, (_, day) => `2026-01-${String(day + 10)}_00-00-00_abcd`)
    for (const [index, run] of runs.entries()) {
      mkdirSync(join(folder, results, run), { recursive: true })
      writeFileSync(join(folder, results, run, 'run.ndjson.br'), '')
      // A run without options has none.
      if (index % 2 === 1) writeFileSync(join(folder, results, `${run}.settings.yaml`), '')
    }
    const [command = 'exit 99'] = /ls -d .*20.*/.exec(readFileSync(join(project, file), 'utf8')) ?? []
    execFileSync('sh', ['-c', command], { cwd: folder })
    const kept = runs.flatMap((run, index) => (index % 2 === 1 ? [run, `${run}.settings.yaml`] : [run])).slice(4)
    t.strictSame(readdirSync(join(folder, results)).sort(), kept)
    t.end()
  })
