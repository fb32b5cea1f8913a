/** The command `simulate` with the control plane and with saved states. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../lib/json/json.js'
import { conform, simulate } from '../../support/processes/conform-process.js'
import { connect } from '../../support/servers/wire.js'

const manual = await readFile(fileURLToPath(new URL('../../../../docs/control-plane.md', import.meta.url)), 'utf8')

async function shell(command: string, cwd: string): Promise<{ code: number | null; stdout: string }> {
  const strict = `curl() { command curl -sS --fail-with-body "$@"; }\n${command}`
  const child = spawn('sh', ['-e', '-c', strict], { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  const [code] = (await once(child, 'close')) as [number | null] // the arguments of the event
  return { code, stdout }
}

t.test('answers all documented calls with JSON', async (t) => {
  const simulator = await simulate('--control')
  t.teardown(() => simulator.stop())
  const folder = t.testdir()
  const blocks = [...manual.matchAll(/```sh\n(.*?)```/gs)].map(([, text = '']) => text.trim().split('\n'))
  const commands = blocks.flat().filter((command) => command.startsWith('curl '))
  t.ok(commands.length > 15, `${commands.length} commands`)
  for (const command of commands) {
    const { code, stdout } = await shell(command.replaceAll('http://127.0.0.1:7575', simulator.url), folder)
    t.equal(code, 0, `${command}\n${stdout}`)
    if (!command.includes(' -o ')) t.ok(isJsonObject(parseJson(stdout)), command)
  }
  const { stdout } = await shell(`curl ${simulator.url}/control`, folder)
  const { calls = [] } = objectOf(parseJson(stdout))
  const rows = [calls].flat().map((call) => {
    const { method, path, title } = objectOf(call)
    return `| ${String(method)} ${String(path)} | ${String(title)} |`
  })
  t.ok(rows.length > 15)
  t.match(manual, `|---|---|\n${rows.join('\n')}\n\n`, 'the table of calls is complete')
})

const objectOf = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {})

t.test('starts from the state of an earlier simulator', async (t) => {
  const file = join(t.testdir(), 'state.json')
  const first = await simulate('--control', '--protocol-version', '34', '--synchronizers', '2', '--user', 'bob', 'eve')
  t.equal(first.printed(), `${first.url}\ncontrol plane: ${first.url}/control\n`)
  const shownState = async (url: string): Promise<string[]> => {
    const wire = connect(url)
    const paths = ['parties/participant-id', 'state/ledger-end', 'state/connected-synchronizers']
    const answers = await Promise.all(paths.map((path) => wire.send({ method: 'GET', path: `/v2/${path}` })))
    await wire.close()
    return answers.map(({ text }) => text)
  }
  const { code } = await shell(`curl -d '{"userId": "", "user": {"id": "ann"}}' ${first.url}/v2/users`, '.')
  t.equal(code, 0)
  t.equal((await shell(`curl -o ${file} ${first.url}/control/state`, '.')).code, 0)
  const before = await shownState(first.url)
  await first.stop()

  const second = await simulate('--data', file)
  t.teardown(() => second.stop())
  t.strictSame(await shownState(second.url), before)
  for (const user of ['ann', 'bob', 'eve'])
    t.equal((await shell(`curl ${second.url}/v2/users/${user}`, '.')).code, 0, user)
  t.not((await shell(`curl ${second.url}/control`, '.')).code, 0, 'no control plane by default')

  const text = await readFile(file, 'utf8')
  const mistakes: [content: string, options: string[], message: string | RegExp][] = [
    ['{\n  "format": \n', [], `data: ${file}: line 3: not JSON: `],
    ['{}', [], `data: ${file}: this JSON is not a saved state: `],
    [text, ['--seed', 'x'], `seed: the state in ${file} already fixes it; remove the option`],
    [text, ['--synchronizers', '1'], `synchronizers: the state in ${file} already fixes it; remove the option`],
    [text, ['--protocol-version', '35'], `protocol-version: the state in ${file} already fixes it; remove the option`],
  ]
  for (const [content, options, message] of mistakes) {
    await writeFile(file, content)
    const ended = await conform('simulate', '--port', '0', '--data', file, ...options)
    t.equal(ended.code, 2)
    t.match(ended.stderr, message)
  }
  const ended = await conform('simulate', '--port', '0', '--data', '/no/such/file')
  t.match(ended, { code: 2, stderr: '/no/such/file cannot be read (ENOENT: no such file or folder)\n' })
})

t.test('prints the options in the help', async (t) => {
  const { code, stdout } = await conform('simulate', '--help')
  t.equal(code, 0)
  for (const option of ['--control', '--data <file>', '--seed <text>']) t.match(stdout, option)
})
