/** The end of a simulator: pending answers, and a complete state file. */
import { once } from 'node:events'
import { access, lstat, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import { readStateDocument, stateIn } from '../../simulator/participant/state-document.js'
import { objectIn, ping, submitPath, textAt } from '../support/ledgers/simulator-environment.js'
import { conform, conformProcess, simulate, simulateAlone } from '../support/processes/conform-process.js'
import { killSimulators } from '../support/processes/killed-simulators.js'
import { at } from '../support/replay/replay-variables.js'
import { connect, type Wire } from '../support/servers/wire.js'

const allocate = async (wire: Wire, partyIdHint: string): Promise<string> =>
  textAt(objectIn(await wire.post('/v2/parties', { partyIdHint }))['partyDetails'], 'party')

let commands = 0
function create(party: string): JsonObject {
  commands += 1
  const createArguments = { id: 'x', initiator: party, responder: party }
  const command = { CreateCommand: { templateId: ping, createArguments } }
  return { commands: [command], commandId: `c-${commands}`, actAs: [party], userId: 'user' }
}

const endOf = async (wire: Wire): Promise<JsonValue | undefined> =>
  objectIn(await wire.send({ method: 'GET', path: '/v2/state/ledger-end' }))['offset']

/** Rejects if the file is incomplete. */
const endIn = async (file: string): Promise<number> =>
  stateIn(readStateDocument(await readFile(file, 'utf8'))).ledger.end

/** Resolves after the arrival of the submission. */
async function sendDelayed(wire: Wire, url: string, milliseconds: number): Promise<{ answer: Promise<string> }> {
  const party = await allocate(wire, 'alice')
  await wire.post('/control/faults', { kind: 'delay', milliseconds, operation: 'submit-and-wait' })
  const own = connect(url, 1)
  const answer = own.post(submitPath, create(party)).then(
    ({ status }) => String(status),
    () => 'no answer',
  )
  const calls = async (): Promise<JsonValue | undefined> =>
    at((await wire.send({ method: 'GET', path: '/control/faults' })).json(), '/faults/0/calls')
  while ((await calls()) !== 1);
  return { answer }
}

t.test('answers open requests before it stops', async (t) => {
  const simulator = await simulate('--control')
  const wire = connect(simulator.url)
  const { answer } = await sendDelayed(wire, simulator.url, 700)
  const ended = simulator.stop()
  t.equal(await answer, '200')
  t.equal(await ended, 0, 'idle connections do not delay it')
  await t.rejects(wire.post('/v2/parties', {}), 'the port is closed')
  await wire.close()
})

t.test('stops at once after a second signal', async (t) => {
  const simulator = await simulate('--control')
  const wire = connect(simulator.url)
  const { answer } = await sendDelayed(wire, simulator.url, 600_000)
  const ended = simulator.stop()
  const refused = async (): Promise<boolean> => {
    const probe = httpRequest(`${simulator.url}/livez`, { agent: false })
    const outcome = Promise.race([once(probe, 'response'), once(probe, 'error')]).catch(() => undefined)
    probe.end()
    return (await outcome) === undefined
  }
  // The first signal has arrived.
  while (!(await refused()));
  simulator.signal('SIGINT')
  t.equal(await answer, 'no answer')
  t.equal(await ended, 0)
  await wire.close()
})

t.test('the state file is complete at all times', async (t) => {
  const file = join(t.testdir(), 'state.json')
  const first = await simulate('--data', file, '--save', '--protocol-version', '34')
  const wire = connect(first.url)
  const party = await allocate(wire, 'alice')
  const seen = new Set<number>()
  let submitted = 0
  const reading = (async () => {
    // Until the file showed several states.
    while (seen.size < 4 || submitted < 20) seen.add(await endIn(file))
  })()
  while (seen.size < 4 || submitted < 20) {
    const { status } = await wire.post(submitPath, create(party))
    if (status !== 200) t.fail(`answered with ${status}`)
    submitted += 1
  }
  await reading
  const end = await endOf(wire)
  await wire.close()
  t.equal(await first.stop(), 0)
  await t.rejects(access(`${file}.lock`), 'the lock is released')

  const second = await simulate('--data', file, '--save')
  const again = connect(second.url)
  t.equal(await endOf(again), end, 'nothing is lost')
  await again.close()
  t.equal(await second.stop(), 0)
})

t.test('starts again with the saved state after a kill', async (t) => {
  const folder = t.testdir()
  const { broken, certain } = await killSimulators(join(folder, 'state.json'), 1, () => 1, 3)
  t.strictSame(broken, [])
  t.ok(certain > 0, 'two writes after the first answers')
  t.strictSame(await readdir(folder), ['state.json'], 'the last write leaves no other file')
})

t.test('takes over the lock of an earlier, killed process 1 of a container', async (t) => {
  const file = join(t.testdir(), 'state.json')
  const first = await simulateAlone('--data', file, '--save')
  first.signal('SIGKILL')
  await first.stop()
  t.ok((await lstat(`${file}.lock`)).isDirectory(), 'the lock remains')
  // As after five seconds: the lock has expired.
  await utimes(`${file}.lock`, 0, 0)
  const second = await simulateAlone('--data', file, '--save')
  const third = await conformProcess('simulate', '--port', '0', '--data', file, '--save')
  t.match(third, { code: 2, stderr: /another process has locked it/ }, 'the lock of a running process 1 is respected')
  second.signal('SIGKILL')
  await second.stop()
})

t.test('two simulators cannot use one file, also under different names', async (t) => {
  const folder = t.testdir({ real: {} })
  const [file, link] = [join(folder, 'real', 'state.json'), join(folder, 'link.json')]
  await symlink(join('real', 'state.json'), link)
  const first = await simulate('--data', link, '--save')
  t.ok((await lstat(link)).isSymbolicLink(), 'the link remains')
  const before = await readFile(file, 'utf8')
  const second = await conform('simulate', '--port', '0', '--data', file, '--save')
  t.match(second, {
    code: 2,
    stderr: /is locked; [\s\S]*another process has locked it; if no process uses it, delete .*real\/state\.json\.lock/,
  })
  const reader = await conform('simulate', '--port', '0', '--data', file)
  t.equal(reader.code, 0, 'reading the file is permitted')
  // As if another process took the lock.
  await rm(`${file}.lock`, { recursive: true })
  await mkdir(`${file}.lock`)
  const wire = connect(first.url)
  await allocate(wire, 'alice')
  await wire.close()
  t.equal(await first.stop(), 2, 'a failed write changes the exit code')
  t.match(first.errorOutput(), /another process has taken the lock/)
  t.equal(await readFile(file, 'utf8'), before, 'the file of the other process is unchanged')
  t.ok((await lstat(`${file}.lock`)).isDirectory(), 'its lock is unchanged')
})

t.test('rejects an unusable state file', async (t) => {
  const folder = t.testdir()
  const mistakes: [options: string[], message: RegExp][] = [
    [['--save'], /^save: add --data FILE/],
    [['--save', '--data', join(folder, 'none', 'state.json')], /^data: .* cannot be used \(ENOENT: /],
    [['--save', '--data', folder], /^data: .* cannot be used \(it is a folder; give a regular file\)/],
  ]
  for (const [options, message] of mistakes) {
    t.match(await conform('simulate', '--port', '0', ...options), { code: 2, stderr: message }, options.join(' '))
  }
  const file = join(folder, 'broken.json')
  await writeFile(file, '{')
  t.match(await conform('simulate', '--port', '0', '--data', file, '--save'), { code: 2, stderr: /not JSON/ })
  t.equal(await readFile(file, 'utf8'), '{', 'an invalid file is not overwritten')
  await t.rejects(access(`${file}.lock`))
})
