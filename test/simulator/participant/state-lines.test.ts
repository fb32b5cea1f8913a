/** States that are saved line by line: contracts across lines, and lines that are none. */
import t from 'tap'
import { stateLines } from '../../../simulator/participant/state-lines.js'
import { createParticipant } from '../../../simulator/simulator.js'
import { exercise, ledgerEnvironment } from '../../support/ledgers/ledger-environment.js'
import { isSameByLines, oneByOne } from './same-by-lines.js'

t.test('contracts that end in another line than they began are one contract', async (t) => {
  const environment = ledgerEnvironment()
  const participant = Object.assign(await createParticipant(), { ledger: environment.ledger })
  participant.clock.freeze()
  const keyed = { owner: environment.alice, observers: [], id: 'k', text: '' }
  const ids = Array.from({ length: 600 }, () => environment.create(environment.alice, 'Keyed', keyed))
  for (const id of ids) environment.submit(environment.alice, exercise(id, ['Keyed', 'Archive']))
  t.ok(await isSameByLines(participant))
})

t.test('lines that are no saved state are refused, with the line and what to do', async (t) => {
  const lines = [...stateLines(await createParticipant())]
  const [head = '', ...others] = lines
  const mistakes: [title: string, lines: string[], code: string, told: RegExp][] = [
    [
      'a later version',
      [head.replace(/"lines":\d+/, '"lines":99'), ...others],
      'STATE_VERSION',
      /^lines of version 99/,
    ],
    ['an end too early', lines.slice(0, -1), 'STATE_INCONSISTENT', /digest at its end does not fit, or is not there/],
    ['nothing', [], 'STATE_INCONSISTENT', /digest at its end/],
    ['one character', lines.map((one) => one.replace('sandbox::', 'sandbux::')), 'STATE_INCONSISTENT', /digest/],
    ['something behind', [...lines, '[]'], 'STATE_INCONSISTENT', /behind its digest/],
    ['no JSON', [head, '[', ...others.slice(1)], 'STATE_INCONSISTENT', /JSON/],
    ['a member less', [head, '[{}]', ...others.slice(1)], 'STATE_INCONSISTENT', /ledger should be Object/],
    [
      'a contract of no earlier line',
      [head, others[0] ?? '', '[["Contract",1],"nowhere"]'],
      'STATE_INCONSISTENT',
      /no earlier line has the contract nowhere/,
    ],
  ]
  for (const [title, wrong, code, message] of mistakes) {
    await t.rejects(createParticipant({ state: oneByOne(wrong) }), { name: 'StateError', code, message }, title)
  }
})
