/** A server with one constant answer never conforms. test/endurance/cheating-servers.ts has all answers and the whole scope. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { certificateName } from '../../certificate/bundle.js'
import { certifyCommand } from '../../cli/commands/certify-command.js'
import { keyFiles } from '../support/bundles/certified-bundle.js'
import { call, callRun } from '../support/processes/called-command.js'
import { constantAnswers, constantServer } from '../support/servers/constant-server.js'

for (const [status, profile] of [
  [400, 'interface'],
  [200, 'canton-3.5'],
] as const) {
  t.test(`answers of ${status} alone are no evidence for ${profile}`, async (t) => {
    const folder = t.testdir()
    const answer = constantAnswers.find((one) => one.status === status)
    if (!answer) throw new Error('the list lacks this answer')
    const url = await constantServer(t, answer)
    const target = { target: url, unreachable: ['all'], protocolVersion: '35', profile, lateCheck: '0' }
    const { privatePath } = await keyFiles(folder, 'signer')
    const out = join(folder, 'results')
    const flags = { ...target, operations: ['contract-by-id'], signer: 'Example Ltd', key: privatePath, out }
    const { code, stderr } = await call(() => certifyCommand(flags, false))
    t.equal(code, 5)
    t.match(stderr, 'Not certified: the evidence is incomplete.')
    t.notOk((await readdir(join(out, 'latest'))).includes(certificateName))
  })
}

t.test('a server that returns 400 to every request is not a participant', async (t) => {
  const url = await constantServer(t, { status: 400, body: {} })
  const { code } = await callRun(t, { target: url })
  t.equal(code, 3)
})
