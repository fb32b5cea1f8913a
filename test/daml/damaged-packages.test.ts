/** Types of an uploaded package are not checked: whatever it contains, each answer of the simulator has a body. */
import { createHash } from 'node:crypto'
import { zipSync } from 'fflate'
import t from 'tap'
import { readDar } from '../../daml/archive/dar.js'
import { ArchiveError } from '../../daml/decode/archive-error.js'
import { decodePackage } from '../../daml/decode/package.js'
import type { LanguageVersion } from '../../daml/language/package.js'
import type { JsonValue } from '../../lib/json/json.js'
import { bytesField } from '../../lib/protobuf/protobuf.js'
import { createCommand, createdIn, exerciseCommand, submit } from '../support/ledgers/model-calls.js'
import { readPackage } from '../support/ledgers/model-packages.js'
import {
  objectIn,
  type SimulatorEnvironment,
  simulatorEnvironment,
  textAt,
} from '../support/ledgers/simulator-environment.js'

/** One package, with a correct hash. */
function darOf(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const payload = Buffer.concat([bytesField(3, '1'), bytesField(4, Buffer.from(content))])
  const archive = Buffer.concat([
    bytesField(3, payload),
    bytesField(4, createHash('sha256').update(payload).digest('hex')),
  ])
  const manifest =
    'Manifest-Version: 1.0\nMain-Dalf: m.dalf\nDalfs: m.dalf\nFormat: daml-lf\nEncryption: non-encrypted\n'
  return Uint8Array.from(zipSync({ 'META-INF/MANIFEST.MF': Buffer.from(manifest), 'm.dalf': archive }))
}

const upload = async ({ wire }: SimulatorEnvironment, content: Uint8Array): Promise<string> => {
  const answer = await wire.send({ method: 'POST', path: '/v2/dars', body: Buffer.from(darOf(content)) })
  return answer.status === 200 ? '200' : `${answer.status} ${textAt(objectIn(answer), 'code')}`
}

/** Codes of the answers; `submit` throws for an answer without a code. */
async function useContracts(environment: SimulatorEnvironment): Promise<string[]> {
  const { alice, bob } = environment
  const name = '#conformance-model:Conformance'
  const codes: string[] = []
  const asset = { issuer: alice, owner: bob, name: 'car', amount: '3' }
  const uses: [template: string, payload: JsonValue, choice: string, argument: JsonValue][] = [
    ['Asset', asset, 'Archive', {}],
    ['Delegation', { principal: alice, agent: alice }, 'CreateFor', { text: 'hello' }],
    ['Note', { author: alice, readers: [bob], text: 'hello' }, 'Archive', {}],
  ]
  for (const [template, payload, choice, argument] of uses) {
    const created = await submit(environment, alice, createCommand(`${name}:${template}`, payload))
    codes.push(created.code)
    if (created.code !== '200') continue
    const { contractId } = createdIn(created)
    const exercise = exerciseCommand(`${name}:${template}`, contractId, choice, argument)
    codes.push((await submit(environment, alice, exercise)).code)
  }
  return codes
}

const isDecoded = (content: Uint8Array, language: LanguageVersion): boolean => {
  try {
    decodePackage('test', language, content)
    return true
  } catch (error) {
    if (error instanceof ArchiveError) return false
    throw error
  }
}

/** Bytes between two damaged bits. `PACKAGE_DAMAGE=1` damages each byte. */
const distance = Number(process.env['PACKAGE_DAMAGE'] ?? 53)

t.test('each answer about a damaged package has a body, and the simulator goes on', async (t) => {
  const { main } = readDar(readPackage('conformance-model-1.0.0.dar'))
  const counts = new Map<string, number>()
  const count = (code: string): void => void counts.set(code, (counts.get(code) ?? 0) + 1)
  for (let at = 0; at < main.package.length; at += distance) {
    const damaged = Buffer.from(main.package)
    damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << (at % 8)), at)
    // One upload shows the answer to all others.
    if (!isDecoded(damaged, main.language) && counts.has('upload: 400 DAR_PARSE_ERROR')) continue
    const environment = await simulatorEnvironment(t, {})
    const uploaded = await upload(environment, damaged)
    count(`upload: ${uploaded}`)
    if (uploaded === '200') for (const code of await useContracts(environment)) count(code)
    t.equal((await submit(environment, environment.alice, pingOf(environment))).code, '200')
  }
  const shown = JSON.stringify([...counts])
  for (const expected of ['upload: 200', 'upload: 400 DAR_PARSE_ERROR', '200', '400 DAML_INTERPRETATION_ERROR'])
    t.ok(counts.has(expected), `${expected}: ${shown}`)
  // The reference has this code for some requests, too; other internal errors are faults of the simulator.
  const faults = [...counts.keys()].filter(
    (code) => code.startsWith('500') && !code.includes('LEDGER_API_INTERNAL_ERROR'),
  )
  t.same(faults, [])
})

const pingOf = ({ alice, bob }: SimulatorEnvironment) =>
  createCommand('#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping', {
    id: 'ping',
    initiator: alice,
    responder: bob,
  })
