/** Servers that answer every request alike: no run against them conforms, and nothing is signed. */
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { certificateName } from '../certificate/bundle-files.js'
import { keyFiles } from './certified-bundle.js'
import { conform } from './conform-process.js'

/** URL of a server that sends this answer to every request. */
async function constantServer(t: Test, status: number, body: object): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // an address object, as it listens on TCP
}

const error = { code: 'INVALID_ARGUMENT', cause: 'rejected' }
const answers: readonly [number, object, string][] = [
  [400, error, 'interface'],
  [200, {}, 'canton-3.5'],
]

for (const [status, body, profile] of answers) {
  t.test(`answers of ${status} alone are no evidence for ${profile}`, async (t) => {
    const folder = t.testdir()
    const url = await constantServer(t, status, body)
    const target = ['--target', url, '--unreachable', 'all', '--protocol-version', '35', '--profile', profile]
    const { privatePath } = await keyFiles(folder, 'signer')
    const out = join(folder, 'results')
    const { code, stderr } = await conform(
      ...['certify', ...target, '--signer', 'Example Ltd', '--key', privatePath, '--out', out],
    )
    t.equal(code, 5)
    t.match(stderr, 'Nothing is certified: the evidence is incomplete.')
    t.notOk((await readdir(join(out, 'latest'))).includes(certificateName))
  })
}

t.test('a server that answers 400 to everything has no participant behind it', async (t) => {
  const url = await constantServer(t, 400, error)
  const { code } = await conform('run', '--target', url, '--out', t.testdir())
  t.equal(code, 3)
})
