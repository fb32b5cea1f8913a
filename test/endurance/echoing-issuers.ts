/** Token endpoints and key sets that repeat secrets of requests. */

import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { startSimulator } from '../../simulator/simulator.js'
import { conformIn, simulate } from '../support/processes/conform-process.js'
import { repeatedSecrets } from '../support/records/repeated-secrets.js'
import { leaksOf } from '../support/servers/echoed-outputs.js'
import { listen } from '../support/servers/raw-target.js'

const clientSecret = 'planted client-secret/77+e'
const inQuery = 'planted-query-value-31'

type Say = () => string
const json = { 'content-type': 'application/json' }

const answers: Readonly<Record<string, (response: ServerResponse, say: Say) => void>> = {
  'an error': (response, say) =>
    response.writeHead(401, json).end(JSON.stringify({ error: say(), error_description: say(), error_uri: say() })),
  'a page': (response, say) =>
    response.writeHead(500, say().replace(/[^ -~]/g, '')).end(`<title>${say()}</title>${say()}`),
  'a redirect': (response, say) =>
    response.writeHead(302, { location: `https://a.example/?${say().replace(/[^!-~]/g, '')}` }).end(say()),
  'a token': (response, say) =>
    response
      .writeHead(200, json)
      .end(JSON.stringify({ access_token: `a ${say()}`, token_type: say(), expires_in: say() })),
  'a token type': (response, say) =>
    response
      .writeHead(200, json)
      .end(JSON.stringify({ access_token: 'abc.def.ghi', token_type: say(), keys: [{ kty: say(), kid: say() }] })),
  'a broken body': (response, say) => response.writeHead(200, json).end(`{"access_token": ${say()}`),
}

/** Returns the leaks, each with its command. `folder` must be empty. */
export async function issuerRound(
  t: Pick<Test, 'teardown'>,
  folder: string,
): Promise<{ leaks: string[]; ran: number }> {
  const simulator = await startSimulator({ authorization: 'hs256:a-secret-of-another-issuer' })
  t.teardown(() => simulator.close())
  const secrets = repeatedSecrets()
  const repeated = [clientSecret, inQuery]
  const leaks = new Set<string>()
  let answer = answers['an error']
  let next = 0
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    await buffer(incoming)
    const basic = incoming.headers.authorization?.replace(/^Basic /, '')
    const known = basic === undefined ? repeated : [...repeated, basic]
    answer?.(response, () => {
      next += 1
      return secrets.repeat(known[next % known.length] ?? '')
    })
  }
  const url = await listen(
    t,
    createServer((incoming, response) => void handle(incoming, response).catch(() => response.destroy())),
  )
  const oauth2 = {
    'token-url': `${url}/token?key=${inQuery}`,
    'client-id': 'conformance',
    'client-secret': '$' + '{CLIENT_SECRET}',
  }
  const callers = { administrator: { token: { oauth2 } } }
  await writeFile(
    join(folder, 'conform.yaml'),
    JSON.stringify({ target: simulator.url, authorization: 'given', callers }),
  )
  await mkdir(join(folder, 'out'))
  let ran = 0
  for (const [kind, way] of Object.entries(answers)) {
    answer = way
    for (let again = 0; again < 2; again += 1)
      for (const command of [
        ['doctor'],
        ['doctor', '--json'],
        ['run', '--out', 'out/results'],
        ['explore', '--out', 'out/explored'],
      ]) {
        const ended = await conformIn({ folder, environment: { CLIENT_SECRET: clientSecret } }, ...command)
        ran += 1
        if (ended.code === null || ended.code === 4)
          leaks.add(`${command[0]} ended with ${ended.code}: ${ended.stderr}`)
        for (const leak of await leaksOf(ended, join(folder, 'out'), secrets, repeated))
          leaks.add(`${kind}, ${command.join(' ')}: ${leak}`)
      }
    const checking = await simulate('--authorization', `jwks:${url}/keys?key=${inQuery}`)
    for (const token of ['x.y.z', 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'])
      await fetch(`${checking.url}/v2/users`, { headers: { authorization: `Bearer ${token}` } }).then((response) =>
        response.text(),
      )
    await checking.stop()
    ran += 1
    const printed = { code: 0, stdout: checking.printed(), stderr: checking.errorOutput() }
    for (const leak of await leaksOf(printed, undefined, secrets, [inQuery])) leaks.add(`${kind}, simulate: ${leak}`)
  }
  return { leaks: [...leaks], ran }
}
