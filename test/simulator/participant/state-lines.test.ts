/** States in lines: contracts across lines, and invalid lines. */
import t from 'tap'
import { stateLines } from '../../../simulator/participant/state-lines.js'
import { createParticipant } from '../../../simulator/simulator.js'
import { exercise, ledgerEnvironment } from '../../support/ledgers/ledger-environment.js'
import { isSameByLines, oneByOne } from './same-by-lines.js'

t.test('restores one contract that is created and archived in different lines', async (t) => {
  const environment = ledgerEnvironment()
  const participant = Object.assign(await createParticipant(), { ledger: environment.ledger })
  participant.clock.freeze()
  const keyed = { owner: environment.alice, observers: [], id: 'k', text: '' }
  const ids = Array.from({ length: 600 }, () => environment.create(environment.alice, 'Keyed', keyed))
  for (const id of ids) environment.submit(environment.alice, exercise(id, ['Keyed', 'Archive']))
  t.ok(await isSameByLines(participant))
})

t.test('rejects invalid lines with the line and advice', async (t) => {
  const lines = [...stateLines(await createParticipant())]
  const [head = '', ...others] = lines
  const mistakes: [title: string, lines: string[], code: string, message: RegExp][] = [
    [
      'a later version',
      [head.replace(/"lines":\d+/, '"lines":99'), ...others],
      'STATE_VERSION',
      /^lines of version 99/,
    ],
    ['an early end', lines.slice(0, -1), 'STATE_INCONSISTENT', /final digest is wrong or missing/],
    ['nothing', [], 'STATE_INCONSISTENT', /final digest/],
    ['one character', lines.map((one) => one.replace('sandbox::', 'sandbux::')), 'STATE_INCONSISTENT', /digest/],
    ['content after the digest', [...lines, '[]'], 'STATE_INCONSISTENT', /content follows its digest/],
    ['malformed JSON', [head, '[', ...others.slice(1)], 'STATE_INCONSISTENT', /JSON/],
    ['a missing member', [head, '[{}]', ...others.slice(1)], 'STATE_INCONSISTENT', /ledger should be Object/],
    [
      'an unknown contract',
      [head, others[0] ?? '', '[["Contract",1],"nowhere"]'],
      'STATE_INCONSISTENT',
      /no earlier line has the contract nowhere/,
    ],
  ]
  for (const [title, wrong, code, message] of mistakes) {
    await t.rejects(createParticipant({ state: oneByOne(wrong) }), { name: 'StateError', code, message }, title)
  }
})
