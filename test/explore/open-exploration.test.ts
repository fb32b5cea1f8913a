/** What an exploration opens before its first sequence. */
import t from 'tap'
import { variable } from '../../explore/generate/draft-step.js'
import { openExploration } from '../../explore/open-exploration.js'
import { createParticipant, serve } from '../../simulator/simulator.js'
import { explorationOf } from '../support/records/explored.js'

t.test('no value names a party that one side lacks', async (t) => {
  const participant = await createParticipant()
  participant.interceptor =
    ({ handle }) =>
    (request) =>
      request.path.startsWith('/v2/parties/external/')
        ? Promise.resolve({ status: 501, contentType: 'text/plain', text: 'no external parties' })
        : handle(request)
  const { url, close } = await serve(participant)
  t.teardown(() => close())
  const opened = await openExploration(explorationOf(url, {}))
  t.teardown(() => opened.close())
  const { pair, settings } = await opened.openWorker()
  t.ok(pair.environments.reference.variables.has('eve'))
  const { members, forms, alterations } = settings.values
  const values = JSON.stringify([[...members].map(([, own]) => [...own]), [...forms], alterations])
  t.match(values, variable('alice'))
  t.notMatch(values, variable('eve'))
  t.strictSame([settings.variables.has('alice'), settings.variables.has('eve')], [true, false])
})

t.test('the reference is closed if the restoration fails', async (t) => {
  const authorization = 'hs256:secret-of-the-test'
  let isOver = false
  const participant = await createParticipant({ authorization })
  participant.interceptor =
    ({ handle }) =>
    (request) =>
      isOver ? Promise.resolve({ status: 400, contentType: 'text/plain', text: 'no' }) : handle(request)
  const { url, close } = await serve(participant)
  t.teardown(() => close())
  const options = explorationOf(url, { authorization })
  let closed = 0
  const opened = await openExploration({
    ...options,
    journalFolders: { target: t.testdir() },
    openReference: async (facts) => {
      const reference = await options.openReference(facts)
      return {
        ...reference,
        close: async () => {
          closed += 1
          await reference.close()
        },
      }
    },
    report: () => {
      throw new Error('the console is closed')
    },
  })
  isOver = true
  await t.rejects(opened.close(), { message: 'the console is closed' })
  t.equal(closed, 1)
})
