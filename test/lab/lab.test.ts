/** The commands of the laboratory. */
import t from 'tap'
import { mutantsCommand, variantsCommand } from '../../lab/list-command.js'
import { call } from '../support/processes/called-command.js'
import { simulateInLab } from '../support/processes/conform-process.js'

t.test('simulate combines a mutant with permitted variants', async (t) => {
  const simulator = await simulateInLab('--mutant', 'contract-payload-not-found-as-302', '--variant', 'gets-answered')
  t.teardown(() => simulator.stop())
  const url = `${simulator.url}/v2/contracts/contract-by-id`
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ contractId: '00'.repeat(69), queryingParties: ['unknown::1220'] }),
    redirect: 'manual',
  })
  t.equal(answer.status, 302, 'by the mutant')
  t.equal((await fetch(url)).status, 200, 'by the variant')
})

t.test('simulate rejects an unknown mutant', async (t) => {
  await t.rejects(simulateInLab('--mutant', 'everything-fond'), {
    message: /exited with 2 .*did you mean "everything-found"/,
  })
})

t.test('mutants and variants lists print names with sentences', async (t) => {
  const { stdout } = await call(() => mutantsCommand({ only: 'everything-found' }))
  t.match(stdout, /^everything-found {2}\[\S+, contract-by-id, shows in: acceptance\]\n {4}\S/)
  const listed = await call(() => variantsCommand({ only: 'spaced-answers' }))
  t.match(listed.stdout, /^spaced-answers\n {4}.*\n {4}Permitted: /)
  t.match(await call(() => mutantsCommand({ only: 'no-such' })), { code: 2, stderr: /no mutant, rule or operation/ })
  t.match(await call(() => variantsCommand({ only: 'no-such' })), { code: 2, stderr: /no permitted variant/ })
})
