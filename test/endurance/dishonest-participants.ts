/**
 * `certify` signs no participant that cheats or reads wrongly, and a dead read gives no more passes than an absent one:
 * `node dist/test/endurance/dishonest-participants.js [NAME...]`
 */

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificateName } from '../../certificate/bundle.js'
import { readRun } from '../../cli/output/read-run.js'
import type { supportOperations } from '../../interface/operations.js'
import { alterAnswers, combineInterceptors, replaceAnswers } from '../../lab/interceptors/interceptors.js'
import { cheatingMutants, restartedMutants } from '../../lab/mutants/cheating.js'
import { faultyReadMutants } from '../../lab/mutants/faulty-reads.js'
import type { Interceptor } from '../../simulator/participant/participant.js'
import { startSimulator } from '../../simulator/simulator.js'
import { keyFiles } from '../support/bundles/certified-bundle.js'
import { conform } from '../support/processes/conform-process.js'
import { inWords } from '../support/words/in-words.js'

interface Participant {
  name: string
  interceptor: Interceptor
  /** A participant without an optional operation is honest. */
  isHonest?: boolean
  /** No verdict relies on an operation that no request of the run used. */
  read?: Read
  /** The participant whose passes are the most that this one may have. */
  most?: string
}

type Read = keyof typeof supportOperations

const dead = (read: Read, answer: object): Participant => ({
  name: `${read}-dead`,
  interceptor: alterAnswers([read], () => JSON.parse(JSON.stringify(answer))),
  most: `${read}-absent`,
  read,
})

const absent = (read: Read): Participant => ({
  name: `${read}-absent`,
  isHonest: true,
  interceptor: replaceAnswers([read], () => ({ status: 404, contentType: 'text/plain', text: 'not found' })),
})

const isAlone = ({ name }: { name: string }): boolean => !name.endsWith('-with-a-fault')
const deadReads: readonly Participant[] = [
  dead('updates', []),
  dead('completions', []),
  dead('active-contracts', []),
  dead('list-vetted-packages', { vettedPackages: [] }),
  dead('update-by-id', {}),
  dead('list-user-rights', { rights: [] }),
  dead('get-party', { partyDetails: [] }),
]
const names = new Set(deadReads.map(({ name }) => name))

const participants: readonly Participant[] = [
  ...deadReads.flatMap((one) => [absent(one.name.replace(/-dead$/, '') as Read), one]),
  ...[...cheatingMutants, ...restartedMutants, ...faultyReadMutants.filter(isAlone)].flatMap(({ name, interceptor }) =>
    interceptor && !names.has(name) ? { name, interceptor } : [],
  ),
]

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !participants.some((one) => one.name === name))
if (unknown.length > 0) throw new Error(`no participant is named ${unknown.join(', ')}`)
const selected = participants.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
const limits = new Set(selected.map(({ most }) => most))

const folder = await mkdtemp(join(tmpdir(), 'dishonest-'))
const { privatePath } = await keyFiles(folder, 'signer')
const passes = new Map<string, number>()
let wrong = 0

const counting =
  (operation: Read | undefined, count: () => void): Interceptor =>
  ({ handle }) =>
  (request) => {
    if (request.operation === operation) count()
    return handle(request)
  }

async function certify({ name, interceptor, isHonest = false, most, read }: Participant): Promise<void> {
  let requests = 0
  const counted = counting(read, () => {
    requests += 1
  })
  const simulator = await startSimulator({ overrides: { interceptor: combineInterceptors([interceptor, counted]) } })
  const out = await mkdtemp(join(folder, 'results-'))
  const options = ['--allow', 'write', 'topology', 'upload', '--signer', 'Example Ltd', '--key', privatePath]
  const { code, stderr } = await conform('certify', '--target', simulator.url, ...options, '--out', out)
  await simulator.close()
  const files = await readdir(join(out, 'latest')).catch((): string[] => [])
  const isSigned = files.includes(certificateName)
  const record = await readRun(out).catch(() => undefined)
  await rm(out, { recursive: true })
  const passed = record?.rows.filter(({ verdict }) => verdict === 'pass').length ?? 0
  passes.set(name, passed)
  const limit = most === undefined ? undefined : passes.get(most)
  const mayBeSigned = isHonest || (read !== undefined && requests === 0)
  // Other codes, and a missing record, mean that nothing judged the participant.
  const isJudged = record !== undefined && (code === 1 || code === 5 || (mayBeSigned && code === 0))
  const isRight = isJudged && (mayBeSigned || !isSigned) && (limit === undefined || passed <= limit)
  if (!isRight) wrong += 1
  const failed = record?.rows.filter(({ verdict }) => verdict === 'fail').length ?? 0
  const [first] = record?.oracles?.findings ?? []
  const found = first ? inWords(first.reason) : stderr.trim().split('\n').slice(-1)
  console.log(
    `${isRight ? ' ' : '!'} ${name}: exit ${code}${isSigned ? ', SIGNED' : ''}, ${passed} passed${limit === undefined ? '' : ` (at most ${limit})`}, ${failed} failed${read && requests === 0 ? ', never read' : ''}; ${String(found).slice(0, 160)}`,
  )
}

try {
  for (const one of participants) if (selected.includes(one) || limits.has(one.name)) await certify(one)
} finally {
  await rm(folder, { recursive: true })
}
console.log(`${passes.size} participants, ${wrong} unmet expectations`)
process.exitCode = wrong > 0 ? 1 : 0
