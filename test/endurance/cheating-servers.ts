/**
 * No run against a server without participant conforms: `node dist/test/endurance/cheating-servers.js
 * [constant|behind|replayed|absent]`
 */

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificateName } from '../../certificate/bundle.js'
import { readRun } from '../../cli/output/read-run.js'
import { operationNames, operations } from '../../interface/operations.js'
import type { RunRow } from '../../record/types/record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { keyFiles } from '../support/bundles/certified-bundle.js'
import { conform, type Ended } from '../support/processes/conform-process.js'
import { constantAnswers, constantServer } from '../support/servers/constant-server.js'
import { recordingGateway } from '../support/servers/gateways.js'
import { recordingProxy, replayingParticipant } from '../support/servers/replaying-participant.js'
import { inWords } from '../support/words/in-words.js'

const [part] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'cheating-'))
const { privatePath } = await keyFiles(folder, 'signer')
const ends: (() => unknown)[] = []
const t = { teardown: (end: () => unknown): void => void ends.push(end) }
const profiles = ['interface', 'canton-3.5'] as const
const commands = ['run', 'certify'] as const
/** Failed rows, no participant, missing evidence. */
const permitted: readonly (number | null)[] = [1, 3, 5]
let wrong = 0
let runs = 0

async function attempt(
  what: string,
  command: (typeof commands)[number],
  ...options: string[]
): Promise<Ended & { out: string }> {
  const out = await mkdtemp(join(folder, 'results-'))
  const signer = command === 'certify' ? ['--signer', 'Example Ltd', '--key', privatePath] : []
  const ended = await conform(command, ...options, ...signer, '--out', out)
  const files = await readdir(join(out, 'latest')).catch((): string[] => [])
  const isSigned = files.includes(certificateName)
  const isRight = permitted.includes(ended.code) && !isSigned
  const [line = ''] = ended.stdout.match(/^(?:PASS|FAIL|INCOMPLETE).*$/m) ?? ended.stderr.trim().split('\n').slice(-1)
  runs += 1
  if (!isRight) wrong += 1
  console.log(
    `${isRight ? ' ' : '!'} ${what}, ${command}: exit ${ended.code}${isSigned ? ', SIGNED' : ''}; ${line.slice(0, 150)}`,
  )
  return { ...ended, out }
}

function expect(isMet: boolean, sentence: string): void {
  if (isMet) return
  wrong += 1
  console.log(`! ${sentence}`)
}

async function constant(): Promise<void> {
  for (const answer of constantAnswers) {
    const url = await constantServer(t, answer)
    for (const profile of profiles)
      for (const command of commands)
        for (const more of [[], ['--unreachable', 'all', '--protocol-version', '35']]) {
          const what = `${answer.status} to every request, ${profile}${more.length > 0 ? ', nothing else called' : ''}`
          const { out } = await attempt(what, command, '--target', url, '--profile', profile, ...more)
          await rm(out, { recursive: true })
        }
  }
}

/** A participant, except for the five operations. */
async function behind(): Promise<void> {
  const paths = new Set<string>(operationNames.map((name) => operations[name].path))
  for (const { status, body } of constantAnswers) {
    const simulator = await startSimulator()
    const answer = JSON.stringify(body)
    const { url } = await recordingGateway(t, simulator.url, ({ path }) => paths.has(path), status, answer)
    for (const profile of profiles)
      for (const command of commands) {
        const what = `${status} of the operations under test, ${profile}`
        const { out } = await attempt(what, command, '--target', url, '--profile', profile)
        await rm(out, { recursive: true })
      }
    await simulator.close()
  }
}

/** The replaying server receives another seed. */
async function replayed(): Promise<void> {
  for (const profile of profiles) {
    const simulator = await startSimulator({ behaviour: profile })
    const proxy = await recordingProxy(t, simulator.url)
    // The order of requests decides the replayed answers.
    const options = ['--profile', profile, '--concurrency', '1', '--allow', 'write', 'topology', 'upload']
    const recorded = await conform(
      ...['run', ...options, '--target', proxy.url, '--seed', 'recorded', '--out', join(folder, `recorded-${profile}`)],
    )
    await simulator.close()
    expect(recorded.code === 0, `the recorded run by ${profile} ended with ${recorded.code}`)
    for (const command of commands) {
      const url = await replayingParticipant(t, proxy.exchanges)
      await attempt(`replayed answers, ${profile}`, command, ...options, '--target', url, '--seed', 'another')
    }
  }
}

async function absent(): Promise<void> {
  const whole = await verdictsWithout(undefined)
  for (const name of operationNames) {
    const { path } = operations[name]
    const { rows, code, stdout } = await verdictsWithout(path)
    const cause = `POST ${path} is not implemented (404 without the member code)`
    expect(
      stdout.split(cause).length === 2,
      `${name}: the console prints the cause ${stdout.split(cause).length - 1} times`,
    )
    expect(code === 1 || code === 5, `${name}: exit ${code}`)
    const blocked = [...rows.values()].filter(({ verdict }) => verdict === 'blocked')
    const reasons = new Set(blocked.map(({ reason }) => inWords(reason)))
    expect(reasons.size === 1 && reasons.has(cause), `${name}: ${[...reasons].join(' | ')}`)
    const needing = [...rows.values()].filter((row) => row.resolved.steps.some(({ operation }) => operation === name))
    // Rows of the other authorization do not apply, as in the whole run.
    expect(
      needing.every(({ verdict }) => verdict === 'blocked' || verdict === 'not-applicable'),
      `${name}: rows were judged without it`,
    )
    const others = [...rows.values()].filter(({ verdict }) => verdict !== 'blocked')
    const changed = others.filter(({ id, verdict }) => whole.rows.get(id)?.verdict !== verdict).map(({ id }) => id)
    expect(changed.length === 0, `${name}: other verdicts than before: ${changed.slice(0, 5).join(', ')}`)
    console.log(`  ${name} absent: ${blocked.length} rows blocked, ${others.length} judged as before`)
  }
}

async function verdictsWithout(path: string | undefined): Promise<Ended & { rows: Map<string, RunRow> }> {
  const simulator = await startSimulator()
  const { url } = await recordingGateway(t, simulator.url, (request) => request.path === path, 404)
  const options = ['--target', url, '--seed', 'same', '--allow', 'write', 'topology', 'upload']
  const out = join(folder, 'whole')
  const ended =
    path === undefined
      ? { ...(await conform('run', ...options, '--out', out)), out }
      : await attempt(`${path} absent`, 'certify', ...options)
  await simulator.close()
  const { rows } = await readRun(ended.out)
  return { ...ended, rows: new Map(rows.map((row) => [row.id, row])) }
}

try {
  for (const [name, perform] of Object.entries({ constant, behind, replayed, absent }))
    if (part === undefined || part === name) await perform()
} finally {
  for (const end of ends) await end()
  await rm(folder, { recursive: true })
}
console.log(`${runs} runs that must not conform: ${wrong} unmet expectations`)
process.exitCode = wrong > 0 ? 1 : 0
