/** The command simulate. */
import { createServer } from 'node:net'
import t from 'tap'
import { conform, simulate } from '../../support/processes/conform-process.js'

t.test('an internal error is printed and does not end the simulator', async (t) => {
  // A signal causes the error, because no known request does.
  const fault = "process.on('SIGUSR2', () => { Promise.reject(new Error('thrown by a test')) })"
  process.env['NODE_OPTIONS'] = `--import=data:text/javascript,${encodeURIComponent(fault)}`
  const simulator = await simulate('--authorization', 'hs256:planted-secret').finally(() => {
    delete process.env['NODE_OPTIONS']
  })
  const ask = async () => (await fetch(`${simulator.url}/v2/version`)).status
  t.equal(await ask(), 200)
  simulator.signal('SIGUSR2')
  // The error is printed before a later request is answered.
  while (simulator.errorOutput() === '') t.equal(await ask(), 200)
  t.match(simulator.errorOutput(), /Error: thrown by a test\n {4}at /)
  t.notMatch(simulator.errorOutput(), 'planted-secret')
  t.equal(await ask(), 200)
  t.equal(await simulator.stop(), 0)
})

t.test('the simulator prints one line, no requests, and ends after SIGTERM', async (t) => {
  const simulator = await simulate()
  t.match(await (await fetch(`${simulator.url}/v2/version`)).json(), { version: '3.5.10' })
  const forbidden = { headers: { origin: 'http://localhost:3000' } }
  t.equal((await fetch(`${simulator.url}/v2/version`, forbidden)).status, 403)
  t.equal(await simulator.stop(), 0)
  t.equal(simulator.printed(), `${simulator.url}\n`)
  t.equal(simulator.errorOutput(), '')
})

t.test('an unavailable port is a usage error', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const inUse = await conform('simulate', '--port', String(port))
  t.match(inUse, { code: 2, stderr: `port: ${port} is in use; --port 0 selects a free port\n` })
  const beyond = await conform('simulate', '--port', '70000')
  t.match(beyond, { code: 2, stderr: 'port: expected a number from 0 to 65535, not 70000\n' })
})

t.test('invalid options exit with 2 and name the remedy', async (t) => {
  const mistakes: [option: string, value: string, message: string][] = [
    ['--behaviour', 'canton', 'unknown behaviour canton; known: interface, canton-3.4, canton-3.5, canton-3.6'],
    ['--protocol-version', '36', 'protocol-version: 36 is not supported by the simulator; known: 34, 35'],
    ['--synchronizers', '101', 'synchronizers: 101 exceeds the maximum of 100'],
    ['--synchronizers', '-1', 'expected a whole number'],
    ['--host', '', 'host: it is empty, which would mean every address; 0.0.0.0 means all IPv4 addresses'],
    ['--authorization', 'rs256:/no/such/file', 'authorization: '],
  ]
  for (const [option, value, message] of mistakes) {
    const ended = await conform('simulate', '--port', '0', option, value)
    t.match(ended, { code: 2, stdout: '', stderr: message }, `${option} ${value}`)
  }
})
