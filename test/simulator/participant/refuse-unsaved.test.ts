/** A failed save is visible to clients; names of prototypes in the dictionaries of clients can be saved. */
import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { KeptState } from '../../../simulator/participant/kept-state.js'
import { restoreState, saveState } from '../../../simulator/participant/state-document.js'
import { createParticipant, serve } from '../../../simulator/simulator.js'
import { connectTo, environmentOf, submitPath, uploadPackages } from '../../support/ledgers/simulator-environment.js'
import { isSameAfterSave } from './same-after-save.js'

t.test('rejects changes with 503 while the state cannot be saved', async (t) => {
  t.capture(console, 'error')
  const file = join(t.testdir(), 'state.json')
  const kept = await KeptState.open(file, () => t.fail('the lock is free'))
  const participant = await createParticipant()
  const simulator = await serve(participant, { keeper: kept, control: true })
  const wire = connectTo(t, simulator)
  await kept.follow(participant)
  const allocate = async (): Promise<number> => (await wire.post('/v2/parties', {})).status
  t.equal(await allocate(), 200)
  // The next write begins with this file.
  await mkdir(`${file}.new`)
  while ((await allocate()) === 200);
  const refused = await wire.post('/v2/parties', {})
  t.match(refused, {
    status: 503,
    text: /^The simulator rejects changes, because it cannot save its state \(\w*EISDIR, see its log\)\.$/,
  })
  t.equal((await wire.send({ method: 'GET', path: '/v2/parties' })).status, 200, 'reading is possible')
  t.equal((await wire.send({ path: '/control/reset' })).status, 200, 'and the control plane')
  await rmdir(`${file}.new`)
  while ((await allocate()) === 503);
  t.equal(await allocate(), 200, 'the next save succeeded')
  await kept.end()
})

/** JSON texts, because a literal `__proto__` sets the prototype. */
const entries = '{"__proto__":"1","constructor":"2","toString":"3"}'
const wildcard = '{"cumulative":[{"identifierFilter":{"WildcardFilter":{"value":{"includeCreatedEventBlob":true}}}}]}'
const filters = `{"filtersByParty":{"__proto__":${wildcard}},"verbose":true}`

t.test('saves the state after requests with names of prototypes in each dictionary', async (t) => {
  const participant = await createParticipant()
  const { wire, alice } = await environmentOf(t, await serve(participant))
  await uploadPackages(wire)
  await wire.post('/v2/users', { user: { id: 'ann' } })
  const annotations = `"annotations":${entries}`
  const bulk = `{"owner":"${alice}","list":[],"textMap":${entries},"genMap":[["1","__proto__"]]}`
  const create = `"templateId":"#conformance-limits:ConformanceLimits:Bulk","createArguments":${bulk}`
  const echo = `{"CreateAndExerciseCommand":{${create},"choice":"EchoMap","choiceArgument":{"textMap":${entries}}}}`
  const requests: [method: string, path: string, body: string][] = [
    ['POST', submitPath, `{"commands":[${echo}],"commandId":"__proto__","actAs":["${alice}"],"userId":"ann"}`],
    ['POST', '/v2/users', `{"user":{"id":"bob","metadata":{"resourceVersion":"",${annotations}}}}`],
    [
      'PATCH',
      '/v2/users/ann',
      `{"user":{"id":"ann","metadata":{${annotations}}},"updateMask":{"paths":["metadata.annotations"]}}`,
    ],
    ['POST', '/v2/parties', `{"partyIdHint":"carol","localMetadata":{"resourceVersion":"",${annotations}}}`],
    ['POST', '/v2/state/active-contracts', `{"activeAtOffset":0,"eventFormat":${filters}}`],
  ]
  for (const [method, path, body] of requests) {
    const { status } = await wire.send({ method, path, body })
    t.ok(status === 200 || status === 400, `${method} ${path}: ${status}`)
  }
  const echoed = await wire.send({
    method: 'POST',
    path: submitPath,
    body: requests[0]?.[2].replace('"__proto__","actAs"', '"again","actAs"') ?? '',
  })
  t.equal(echoed.status, 200)
  participant.clock.freeze()
  t.ok(await isSameAfterSave(participant))
  restoreState(saveState(participant), participant)
  t.equal((await wire.send({ method: 'GET', path: '/v2/users/ann' })).status, 200)
})
