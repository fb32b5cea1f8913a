/** The report of an exploration: a static page. */
import t from 'tap'
import type { ExplorationRecord, Step } from '../../record/types/exploration.js'
import { exploredHtml } from '../../reports/formats/explored-html.js'

const step = (about: string): Step => ({
  about,
  operation: 'contract-by-id',
  actor: 'operator',
  capture: {},
  request: { method: 'POST', path: '/', headers: {} },
})

const hostile = '</pre><script>alert(1)</script>\u001b[31m"]]>&'

const record: ExplorationRecord = {
  tool: { name: 'tool', version: '1' },
  target: 'http://127.0.0.1:1',
  reference: 'embedded',
  profile: 'canton-3.5',
  seed: 's',
  startedAt: '2030-01-01T00:00:00.000Z',
  seconds: 1.5,
  sequences: 2,
  discarded: 0,
  exchanges: 30,
  retried: 5,
  raced: 9,
  trials: 3,
  findings: [
    {
      id: 'F1',
      signature: 'contract-by-id value /a/b accepted accepted',
      operation: 'contract-by-id',
      pointer: '/a/b',
      steps: [step('create'), step(`look up ${hostile}`)],
      commands: ['curl create', hostile],
      times: 2,
      seed: 's/1',
      ruling: { kind: 'breaks-rule', rules: ['CBI-PURPOSE'], because: hostile },
      answers: {
        reference: { said: '200', body: '{"a":{"b":1}}' },
        target: { said: '200', body: JSON.stringify({ a: { b: hostile } }) },
      },
      shrunkFrom: 9,
      seenAfter: 0.5,
      requestsBefore: 12,
    },
  ],
  histories: [
    {
      id: 'H1',
      trial: 'one contract',
      sentence: 'One wins.',
      rules: ['SAW-ATOMIC'],
      longest: [0],
      times: 1,
      of: 3,
      seenAfter: 1,
      requestsBefore: 12,
      calls: [
        { client: 0, about: 'Archive', said: '200', sent: 100, answered: 103.25 },
        { client: 1, about: 'Archive', said: hostile, sent: 101 },
      ],
    },
  ],
  divergences: [
    {
      points: ['refuse-taps-above-limit'],
      operation: 'submit-and-wait',
      reference: '200',
      target: '400',
    },
    { points: ['third-hashing-scheme'], operation: 'prepare', reference: '200', target: '400' },
  ],
  permitted: new Map([['a difference', 3]]),
  unconfirmed: new Map([['another', 1]]),
  outcomes: new Map([['contract-by-id 200', 7]]),
}

t.test('the page contains all findings and runs nothing from a target', async (t) => {
  const page = exploredHtml(record)
  t.notMatch(page, /<script/)
  t.notOk(page.includes('\u001b'))
  for (const text of [
    '2 findings',
    'F1',
    'H1',
    'CBI-PURPOSE',
    'Known difference refuse-taps-above-limit',
    'a difference',
    'another',
    'One wins.',
    '<td>1</td><td>client 1</td>',
    '<td>impossible</td><td>client 2</td>',
    '<td class="n">3.3</td>',
  ])
    t.ok(page.includes(text), text)
  t.match(exploredHtml({ ...record, findings: [], histories: [] }), /<h1>No findings<\/h1>/)
})

t.test('the page marks the member in which the responses differ', async (t) => {
  const [finding] = record.findings
  if (!finding) throw new Error('the sample has no finding')
  const pageOf = (pointer: string, body: string): string => {
    const answers = { ...finding.answers, target: { ...finding.answers.target, body } }
    return exploredHtml({ ...record, findings: [{ ...finding, pointer, answers }] })
  }
  t.match(pageOf('/a/b', '{"a":{"b":1,"c":2}}'), /<mark> +&quot;b&quot;: 1,<\/mark>\n/)
  t.match(pageOf('/a/1', '{"a":[1,2]}'), /<mark> +2<\/mark>/)
  t.match(pageOf('/a/b', '{"a":{}}'), /<mark>\/a\/b is absent<\/mark>/)
  t.match(pageOf('/a', 'no JSON <'), /<pre>no JSON &lt;<\/pre>/)
})
