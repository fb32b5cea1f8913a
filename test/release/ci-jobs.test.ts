/** The commands of the CI examples run against a simulator. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { readRun } from '../../cli/output/read-run.js'
import { supportOperations } from '../../interface/operations.js'
import { simulate } from '../support/processes/conform-process.js'
import { recordingGateway } from '../support/servers/gateways.js'
import { readOptions, unknownWord } from '../tool/documented-commands.js'
import { project } from './separate-packages.js'

const content = (name: string): string => readFileSync(join(project, 'examples/ci', name), 'utf8')

/** A few rows; some must run alone. */
const selected = 'CBI-WITNESSES\nVET-DRY'
const simulator = await simulate()
t.teardown(() => simulator.stop())

/** A folder with the command installed; its job has no packages. */
function repository(t: Test): { folder: string; environment: Record<string, string> } {
  const folder = t.testdir()
  const bin = join(folder, 'global/bin')
  mkdirSync(bin, { recursive: true })
  const tool = `#!/bin/sh\nexec '${process.execPath}' '${join(project, 'dist/cli/conform.js')}' "$@"\n`
  writeFileSync(join(bin, 'participant-conformance'), tool, { mode: 0o755 })
  const environment = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    NPM_CONFIG_PREFIX: join(folder, 'global'),
    CONFORM_ONLY: selected,
    CONFORM_TARGET: simulator.url,
    CONFORM_LATE_CHECK: '0',
    CONFORM_SEED: 'tonight',
    NO_COLOR: '1',
  }
  return { folder, environment }
}

/** `repository` with a program that records its calls and writes the files that scripts copy; `merge` ends with MERGE_CODE. */
function recordingRepository(t: Test) {
  const { folder, environment } = repository(t)
  const file = join(folder, 'calls')
  const recorder = `#!/bin/sh
echo "$*" >> '${file}'
command=$1
while [ $# -gt 1 ] && [ "$1" != --out ]; do shift; done
case "$command" in
  compare) echo page > "$2" ;;
  *) mkdir -p "$2/latest" && echo "$CONFORM_SEED" > "$2/latest/run.ndjson.br" ;;
esac
[ "$command" != merge ] || exit "\${MERGE_CODE:-0}"
`
  writeFileSync(join(folder, 'global/bin/participant-conformance'), recorder, { mode: 0o755 })
  const calls = (): string[] => readFileSync(file, 'utf8').trimEnd().split('\n')
  return { folder, environment, calls }
}

/** Every command and option exists. The program itself performs the calls of the GitHub workflow and of the CronJob. */
async function expectCalls(t: Test, calls: readonly string[], expected: readonly string[]): Promise<void> {
  t.strictSame(calls, expected)
  const words = calls.map((call) => call.split(' '))
  const options = await readOptions(words)
  for (const call of words) t.equal(unknownWord(call, options), undefined, call.join(' '))
}

/** Writes the repository of a job. */
function checkOut(folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"name":"yours","version":"1.0.0"}')
  const lock = {
    name: 'yours',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': { name: 'yours', version: '1.0.0' } },
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
}

/** Removes the variables of `npm test`, which override those of a job. */
const environmentWithoutNpm = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))

function shell(
  script: string,
  cwd: string,
  environment: Record<string, string>,
  program = 'bash',
): Promise<{ code: number; output: string }> {
  const options = program === 'bash' ? ['-e', '-o', 'pipefail', '-c', script] : ['-c', script]
  return new Promise((resolve) => {
    execFile(program, options, { cwd, env: { ...environmentWithoutNpm(), ...environment } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })
}

/** A participant without an operation that the selected rows need for a probe: some rows are blocked, and none fails. */
async function incompleteParticipant(t: Test): Promise<string> {
  const missing = supportOperations['update-by-id'].path
  const { url } = await recordingGateway(t, simulator.url, ({ path }) => path === missing, 404)
  return url
}

/** Checks the merged run. */
async function expectComplete(t: Test, results: string): Promise<void> {
  const { header, rows, defects, footer } = await readRun(results)
  t.same(defects, [])
  t.equal(footer?.conforming, true)
  t.equal(header.merged?.length, 3)
  t.ok(rows.some(({ resolved }) => resolved.alone) && rows.length > 5, `${rows.length} rows`)
}

/** A second night has a baseline. */
const compared = /^(?:No|\d+) regressions?\b/m

interface Step {
  name?: string
  run?: string
  uses?: string
  env?: Record<string, string>
  with?: Record<string, string>
}

t.test('the commands of the GitHub workflow run, and its shards become one result', async (t) => {
  const { folder, environment } = repository(t)
  const workflow: { jobs: Record<string, { steps: Step[]; strategy?: { matrix: { part: number[] } } }> } = parse(
    content('github-nightly.yml'),
  )
  const summary = join(folder, 'summary.md')
  const run = async (job: string, part?: number): Promise<void> => {
    const cwd = join(folder, `${job}-${part ?? ''}`)
    checkOut(cwd)
    const filled = (text: string): string => text.replace(/\$\{\{ matrix\.part \}\}/g, String(part))
    for (const step of workflow.jobs[job]?.steps ?? []) {
      const { name = '', path = '' } = step.with ?? {}
      if (step.uses?.startsWith('actions/upload-artifact@')) {
        const [uploaded = '', excluded] = path.trimEnd().split('\n')
        if (job === 'parts') t.equal(excluded, '!results/*.settings.yaml')
        cpSync(join(cwd, uploaded), join(folder, 'artifacts', filled(name)), { recursive: true })
      }
      if (step.uses?.startsWith('actions/download-artifact@'))
        cpSync(join(folder, 'artifacts'), join(cwd, path), { recursive: true })
      if (step.run === undefined) continue
      t.notMatch(step.run, '${{', 'values are passed as variables')
      const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value)]))
      const given = { ...environment, ...env, GITHUB_STEP_SUMMARY: summary }
      const { code, output } = await shell(step.run, cwd, given)
      t.equal(code, 0, `${step.run}\n${output}`)
      if (step.name !== 'Merge the shards') continue
      t.notMatch(output, compared)
      t.match((await shell(step.run, cwd, { ...given, CONFORM_SEED: 'tomorrow' })).output, compared)
      t.ok(existsSync(join(cwd, 'archive/nights/tomorrow/run.ndjson.br')))
    }
  }
  await Promise.all((workflow.jobs['parts']?.strategy?.matrix.part ?? []).map((part) => run('parts', part)))
  await run('whole')
  await expectComplete(t, join(folder, 'artifacts/conformance'))
  t.match(readFileSync(join(folder, 'artifacts/conformance/compare.html'), 'utf8'), '<!doctype html>')
  t.match(readFileSync(summary, 'utf8'), /^## ✓ Conformance: PASS \(selection of /)
})

t.test('a night with blocked rows is merged, and the first one is the baseline', async (t) => {
  const target = await incompleteParticipant(t)
  const parts = ['1/3', '2/3', '3/3']
  const workflow: { jobs: Record<string, { steps: Step[] }> } = parse(content('github-nightly.yml'))
  const stepOf = (job: string, name: string): string =>
    workflow.jobs[job]?.steps.find((step) => step.name === name)?.run ?? ''
  const { folder, environment } = repository(t)
  checkOut(folder)
  const given = { ...environment, CONFORM_TARGET: target, CONFORM_ONLY: 'CBI-WITNESSES\nCBI-NO-CONTRACT-ID\nVET-DRY' }
  for (const [index, shard] of parts.entries()) {
    const own = { ...given, CONFORM_SHARD: shard, CONFORM_OUT: `parts/part-${index + 1}` }
    const { code, output } = await shell(stepOf('parts', 'Run the shard'), folder, own)
    t.equal(code, 0, output)
  }
  const merge = stepOf('whole', 'Merge the shards')
  const first = await shell(merge, folder, { ...given, GITHUB_STEP_SUMMARY: join(folder, 'summary.md') })
  t.equal(first.code, 5, first.output)
  t.match(first.output, /^::warning title=\d+ blocked rows/m)
  t.notMatch(first.output, /^::error/m)
  t.ok(existsSync(join(folder, 'archive/baseline.ndjson.br')), 'the first night is the baseline')
  const second = await shell(merge, folder, { ...given, GITHUB_STEP_SUMMARY: join(folder, 'summary.md') })
  t.equal(second.code, 0, 'no regression')
  const cron: { spec: { jobTemplate: { spec: { template: { spec: { containers: [Container] } } } } } } = parse(
    content('kubernetes-cronjob.yaml'),
  )
  const [{ args }] = cron.spec.jobTemplate.spec.template.spec.containers
  const results = join(folder, 'cron')
  mkdirSync(results)
  const night = () => shell(args[0] ?? '', folder, { ...given, RESULTS: results }, 'sh')
  t.strictSame([(await night()).code, (await night()).code], [5, 0], 'the CronJob')
  const pods: { spec: { template: { spec: { containers: [Container] } } } } = parse(content('kubernetes-job.yaml'))
  const [{ args: job }] = pods.spec.template.spec.containers
  const volume = join(folder, 'pods')
  mkdirSync(volume)
  const codes: number[] = []
  for (const JOB_COMPLETION_INDEX of ['0', '1', '2', '2']) {
    const own = { ...given, RESULTS: volume, PARTS: '3', JOB_COMPLETION_INDEX }
    codes.push((await shell(job[0] ?? '', folder, own)).code)
  }
  t.strictSame(codes, [0, 0, 5, 0], 'the Job')
  const pipeline: Record<string, { allow_failure?: { exit_codes: number[] } }> = parse(content('gitlab-nightly.yml'))
  t.strictSame(pipeline['.part']?.allow_failure?.exit_codes, [1, 5])
})

interface GitlabJob {
  artifacts?: { exclude?: string[] }
  extends?: string
  before_script?: string[]
  script?: string[]
  variables?: Record<string, string>
  parallel?: { matrix: [{ PART: string[] }] }
}

t.test('the GitLab pipeline performs its shards, and compares the merged result with an earlier night', async (t) => {
  const { folder, environment, calls } = recordingRepository(t)
  const jobs: Record<string, GitlabJob> = parse(content('gitlab-nightly.yml'))
  // Later stages receive the artifacts of earlier ones.
  const cwd = join(folder, 'work')
  checkOut(cwd)
  t.strictSame(jobs['.part']?.artifacts?.exclude, ['parts/*/*.settings.yaml'])
  const prepared = new Set<string>()
  const run = async (name: string, more: Record<string, string> = {}, wanted = 0): Promise<void> => {
    const job = { ...jobs[jobs[name]?.extends ?? ''], ...jobs[name] }
    // A job that runs again finds its packages in the folder.
    const script = [...(prepared.has(name) ? [] : (job.before_script ?? [])), ...(job.script ?? [])].join('\n')
    prepared.add(name)
    const { code, output } = await shell(script, cwd, { ...environment, ...job.variables, ...more })
    t.equal(code, wanted, `${name}\n${output}`)
  }
  const baseline = (): string => readFileSync(join(cwd, 'archive/baseline.ndjson.br'), 'utf8').trim()
  for (const PART of jobs['parts']?.parallel?.matrix[0].PART ?? []) await run('parts', { PART })
  await run('last')
  await run('result')
  t.equal(baseline(), 'tonight')
  await run('result', { CONFORM_SEED: 'tomorrow' })
  await run('result', { CONFORM_SEED: 'a red night', MERGE_CODE: '1' }, 1)
  t.equal(baseline(), 'tomorrow', 'a night with failures is no baseline')
  t.ok(existsSync(join(cwd, 'results/compare.html')))
  t.ok(existsSync(join(cwd, 'archive/nights/a red night/run.ndjson.br')))
  const merge = 'merge parts/part-1 parts/part-2 parts/part-3 --out results'
  const again = `${merge} --baseline archive/baseline.ndjson.br`
  const compare = 'compare archive/nights --out results/compare.html'
  const shards = [1, 2, 3].map((part) => `run --shard ${part}/3 --out parts/part-${part}`)
  await expectCalls(t, calls(), [...shards, merge, compare, again, compare, again, compare])
})

interface Container {
  command: string[]
  args: string[]
  env: { name: string; value?: string }[]
}

/** This row fails. */
const textAlone = { CONFORM_PROFILE: 'interface', CONFORM_ONLY: 'CBI-NOT-POPULATED' }

t.test("the CronJob's script compares the second night with the first", async (t) => {
  const { folder, environment } = repository(t)
  const cron: { spec: { jobTemplate: { spec: { template: { spec: { containers: [Container] } } } } } } = parse(
    content('kubernetes-cronjob.yaml'),
  )
  const [{ command, args }] = cron.spec.jobTemplate.spec.template.spec.containers
  t.same(command, ['sh', '-c'])
  const night = () => shell(args[0] ?? '', folder, { ...environment, RESULTS: folder }, 'sh')
  // The lookups of the simulator differ from the interface text.
  const red = await shell(args[0] ?? '', folder, { ...environment, ...textAlone, RESULTS: folder }, 'sh')
  t.equal(red.code, 1, red.output)
  t.notOk(existsSync(join(folder, 'baseline.ndjson.br')), 'a night with failures is no baseline')
  const first = await night()
  t.equal(first.code, 0, first.output)
  t.notMatch(first.output, compared)
  const second = await night()
  t.equal(second.code, 0, second.output)
  t.match(second.output, compared)
  t.ok(existsSync(join(folder, 'compare.html')))
  // Another night is red, and keeps the baseline.
  const before = readFileSync(join(folder, 'baseline.ndjson.br'))
  const fewer = { ...environment, RESULTS: folder, CONFORM_ONLY: 'CBI-WITNESSES' }
  t.equal((await shell(args[0] ?? '', folder, { ...fewer, CONFORM_MIN_JUDGED: '900' }, 'sh')).code, 5)
  t.same(readFileSync(join(folder, 'baseline.ndjson.br')), before)
})

t.test("the Job's script performs a shard in each pod, and the last pod merges them", async (t) => {
  const { folder, environment, calls } = recordingRepository(t)
  const job: { spec: { completions: number; template: { spec: { containers: [Container] } } } } = parse(
    content('kubernetes-job.yaml'),
  )
  const { spec } = job
  const [{ command, args, env }] = spec.template.spec.containers
  const [program = '', option] = command
  t.same([option, args.length, spec.completions], ['-c', 1, 3])
  const given = Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
  const results = join(folder, 'results')
  mkdirSync(results)
  const pod = async (index: number, more: Record<string, string> = {}, wanted = 0): Promise<void> => {
    const own = { ...given, ...environment, RESULTS: results, JOB_COMPLETION_INDEX: String(index), ...more }
    const { code, output } = await shell(args[0] ?? '', folder, own, program)
    t.equal(code, wanted, `pod ${index}\n${output}`)
  }
  const baseline = (): string => readFileSync(join(results, 'baseline.ndjson.br'), 'utf8').trim()
  for (let index = 0; index < spec.completions; index += 1) await pod(index)
  t.equal(baseline(), 'tonight')
  await pod(2, { CONFORM_SEED: 'red', MERGE_CODE: '1' }, 1)
  t.equal(baseline(), 'tonight', 'a run with failures is no baseline')
  t.ok(existsSync(join(results, 'compare.html')))
  const last = 'run --shard 3/3 --out part-3 --alone-after part-1 part-2'
  const merge = 'merge part-1 part-2 part-3 --out merged'
  const compare = 'compare merged --out compare.html'
  await expectCalls(t, calls(), [
    ...['run --shard 1/3 --out part-1', 'run --shard 2/3 --out part-2'],
    ...[last, merge, compare],
    ...[last, `${merge} --baseline baseline.ndjson.br`, compare],
  ])
})
