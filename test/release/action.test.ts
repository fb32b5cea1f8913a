/** The script of the main step of the GitHub Action. `ci-schemas.test.ts` lets GitHub's parser check the action. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { parse } from 'yaml'

const project = fileURLToPath(new URL('../../../', import.meta.url))
const content = readFileSync(join(project, 'action.yml'), 'utf8')

interface Step {
  id?: string
  uses?: string
  run?: string
  env?: Record<string, string>
  with?: Record<string, string>
}
const action: { inputs: Record<string, { default: string }>; runs: { steps: Step[] } } = parse(content)
const step = action.runs.steps.find(({ id }) => id === 'run')

t.test('every input is used, and no script contains an input', (t) => {
  const used = new Set([...content.matchAll(/\$\{\{[^}]*inputs\.([\w-]+)/g)].map(([, name]) => name))
  t.strictSame([...used].sort(), Object.keys(action.inputs).sort())
  for (const { run } of action.runs.steps) t.notMatch(run ?? '', /\$\{\{/)
  const upload = action.runs.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'))
  t.equal(upload?.with?.['path'], `\${{ inputs.out }}\n!\${{ inputs.out }}/*.settings.yaml\n`)
  t.end()
})

interface Outcome {
  code: number
  output: string
  summary: string
  stdout: string
}

/** Starts the main step with these inputs, in the folder of the test. */
async function perform(t: Test, inputs: Record<string, string>): Promise<Outcome> {
  const folder = t.testdir({ output: '', summary: '' })
  const filled = (text: string): string =>
    text
      .replaceAll(
        /\$\{\{ inputs\.([\w-]+) \}\}/g,
        (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? '',
      )
      .replaceAll(`\${{ github.action_path }}`, project)
  const given = Object.entries(step?.env ?? {}).map(([name, text]) => [name, filled(text)])
  const runner = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
  const env = { ...process.env, ...Object.fromEntries(given), ...runner }
  // The options of a runner for `shell: bash`.
  const options = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? 'exit 99']
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    execFile('bash', options, { cwd: folder, env }, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, stdout }),
    )
  })
  const [output, summary] = await Promise.all(Object.values(runner).map(async (file) => readFile(file, 'utf8')))
  return { code, output: output ?? '', summary: summary ?? '', stdout }
}

t.test('the action runs the suite and writes a summary', async (t) => {
  const { code, output, summary } = await perform(t, { only: 'CBI-CONTENT*', profile: 'interface', out: 'my results' })
  t.equal(code, 0)
  t.equal(output, 'exit-code=0\n')
  t.match(summary, /CBI-CONTENT|contract-by-id/)
})

t.test('the action annotates failures, and writes the summary once', async (t) => {
  const { code, stdout, summary } = await perform(t, { only: 'CBI-NOT-POPULATED/offset', profile: 'interface' })
  t.equal(code, 1)
  t.match(stdout, /^::error title=1 row%3A .*rows: CBI-NOT-POPULATED/m)
  t.equal(summary.match(/^## /gm)?.length, 1)
})

t.test('the action has the exit code of the command, and does not execute an input', async (t) => {
  const { code, output } = await perform(t, { only: '$(touch here)"; exit 0' })
  t.equal(code, 2, 'no row matches')
  t.equal(output, 'exit-code=2\n')
})
