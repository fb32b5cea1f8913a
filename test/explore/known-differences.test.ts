/** Differences between known participants are reported once, by name; another server error is a finding. */
import t from 'tap'
import type { Exploration } from '../../record/types/exploration.js'
import { createParticipant, serve } from '../../simulator/simulator.js'
import { alone, explored } from '../support/records/explored.js'

const namesIn = ({ divergences }: Exploration): string[] => divergences.flatMap(({ points }) => [...points])

t.test('names each divergence of the reference participant once', async (t) => {
  const found = await explored({}, { seed: 'c', sequences: 3, profile: 'interface', concurrency: 1 })
  t.strictSame(
    found.findings.map(({ signature }) => signature),
    [],
  )
  const names = namesIn(found)
  t.equal(new Set(names).size, names.length, names.join(' '))
  t.ok(names.length >= 3, names.join(' '))
  const faults = found.divergences.filter(({ points }) => points.some((name) => name.startsWith('server-error')))
  t.ok(faults.length > 0 && faults.every(({ points }) => points.length === 1))
})

t.test('names each known difference of the next line once', async (t) => {
  const found = await explored({ behaviour: 'canton-3.6' }, { seed: 'next', sequences: 3, concurrency: 1 })
  t.strictSame(
    found.findings.map(({ signature }) => signature),
    [],
  )
  t.equal(namesIn(found).filter((name) => name === 'members-since-3.6').length, 1)
  t.equal(new Set(namesIn(found)).size, found.divergences.length)
})

t.test('a server error that no divergence explains is a finding', async (t) => {
  const participant = await createParticipant()
  participant.interceptor =
    ({ handle }) =>
    async (request) =>
      request.operation === 'contract-by-id' && request.body.includes('"bad!"')
        ? { status: 500, contentType: 'text/plain', text: 'fault' }
        : handle(request)
  const { url, close } = await serve(participant)
  t.teardown(() => close())
  const { findings } = await explored({}, { url, seed: 'd', sequences: 60, only: 'contract-by-id', ...alone })
  t.match(findings, [{ ruling: { kind: 'breaks-rule', because: /^the target returns a server error/ } }])
})
