import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { startSimulator } from '../../../simulator/simulator.js'
import { keyFiles } from '../bundles/certified-bundle.js'
import { conformIn } from '../processes/conform-process.js'
import { writeLookupSuite } from '../suites/lookup-suite.js'
import { leaksOf } from './echoed-outputs.js'
import { echoingTarget, places } from './echoing-target.js'

const signingSecret = 'planted-signing-secret-5c1f'
const apiKey = 'planted-api-key-77/+e'
const inEnvironment = 'planted value of 1 variable'
const planted = [signingSecret, apiKey, inEnvironment]
const lookups = '/v2/contracts/contract-by-id'

/** Paths with repeated secrets. */
export const scopes: Readonly<Record<string, (path: string) => boolean>> = {
  'every operation': () => true,
  'the operation under test': (path) => path.startsWith(lookups),
  'all but the version': (path) => !/\/v2\/(?:version|parties\/participant-id)|readyz/.test(path),
}

/** Later commands read the files of earlier ones. */
const commands: Readonly<Record<string, readonly string[]>> = {
  doctor: ['doctor'],
  'doctor --json': ['doctor', '--json'],
  run: ['run', '--suite', 'suite', '--out', 'results'],
  'run, again': ['run', '--suite', 'suite', '--out', 'again'],
  clean: ['clean', '--out', 'results'],
  report: ['report', 'results', '--out', 'reports'],
  diff: ['diff', 'results', 'again', '--format', 'markdown'],
  'diff --format json': ['diff', 'results', 'again', '--format', 'json'],
  compare: ['compare', 'results', 'again', '--out', 'compare.html'],
  show: ['show', 'LOOK-KNOWN/only', '--suite', 'suite'],
  certify: ['certify', '--suite', 'suite', '--out', 'certified', '--signer', 'A', '--key', 'signer.pem'],
  verify: ['verify', 'certified', '--suite', 'suite', '--key', 'signer.pub.pem'],
  explore: ['explore', '--only', 'contract-by-id', '--sequences', '4', '--budget', '20s', '--out', 'explored'],
}

/** Of the program. */
export const commandNames = [...new Set(Object.values(commands).flatMap(([command]) => command ?? []))]

const withoutTarget = /^(?:report|diff|compare|show|verify)/

export interface Round {
  place: string
  scope: string
  /** For names of commands. */
  only?: RegExp
}

/** Returns the leaks with their commands. `folder` must be empty. */
export async function echoRound(
  t: Pick<Test, 'teardown'>,
  folder: string,
  round: Round,
): Promise<{ leaks: string[]; ran: number; used: number }> {
  const simulator = await startSimulator({ authorization: `hs256:${signingSecret}` })
  t.teardown(() => simulator.close())
  const [place, scope] = [places[round.place], scopes[round.scope]]
  if (!place || !scope) throw new Error(`${round.place} at ${round.scope} is unknown`)
  const target = await echoingTarget(t, simulator.url, place, scope, planted)
  await mkdir(join(folder, 'suite'))
  await writeLookupSuite(join(folder, 'suite'))
  await keyFiles(folder, 'signer')
  const settings = {
    target: target.url,
    authorization: 'hs256-env:SIGNING_SECRET',
    headers: { 'X-Api-Key': '$' + '{API_KEY}', 'X-Other': '$' + '{OTHER_VALUE}' },
  }
  await writeFile(join(folder, 'conform.yaml'), JSON.stringify(settings))
  const environment = { SIGNING_SECRET: signingSecret, API_KEY: apiKey, OTHER_VALUE: inEnvironment }
  const leaks = new Set<string>()
  let ran = 0
  for (const [name, options] of Object.entries(commands)) {
    if (round.only && !round.only.test(name)) continue
    const ended = await conformIn({ folder, ...(withoutTarget.test(name) ? {} : { environment }) }, ...options)
    ran += 1
    if (ended.code === null || ended.code === 4)
      leaks.add(`${name} ended with ${ended.code}: ${ended.stderr.slice(0, 500)}`)
    for (const leak of await leaksOf(ended, undefined, target.secrets, planted)) leaks.add(`${name}: ${leak}`)
  }
  for (const leak of await leaksOf({ code: 0, stdout: '', stderr: '' }, folder, target.secrets, planted))
    leaks.add(leak)
  return { leaks: [...leaks], ran, used: target.secrets.used.size }
}
