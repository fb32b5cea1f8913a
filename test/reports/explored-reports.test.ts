/** The reports of an exploration: a static page, and JUnit. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import t from 'tap'
import type { ExplorationRecord } from '../../record/types/exploration.js'
import { exploredHtml } from '../../reports/formats/explored-html.js'
import { exploredJunit } from '../../reports/formats/explored-junit.js'
import { markedJson } from '../../reports/formats/marked-json.js'

const hostile = '</pre><script>alert(1)</script>\u001b[31m"]]>&'

const record: ExplorationRecord = {
  ...{
    tool: { name: 'tool', version: '1' },
    target: 'http://127.0.0.1:1',
    model: 'embedded',
    profile: { name: 'canton-3.5' },
  },
  seed: 's',
  startedAt: '2030-01-01T00:00:00.000Z',
  seconds: 1.5,
  conversations: 2,
  requests: 30,
  rounds: 3,
  findings: [
    {
      ...{
        id: 'F1',
        operation: 'contract-by-id',
        pointer: '/a/b',
        requests: ['create', `look up ${hostile}`],
        times: 2,
        seed: 's/1',
      },
      ruling: { kind: 'breaks-rule', rules: ['CBI-PURPOSE'], because: hostile },
      answers: {
        model: { said: '200', body: '{"a":{"b":1}}' },
        target: { said: '200', body: JSON.stringify({ a: { b: hostile } }) },
      },
      shrunkFrom: 9,
      seenAfter: 0.5,
      curl: hostile,
      yaml: hostile,
    },
  ],
  histories: [
    {
      id: 'H1',
      sentence: 'One wins.',
      rules: ['SAW-ATOMIC'],
      longest: [0],
      times: 1,
      of: 3,
      seenAfter: 1,
      calls: [
        { client: 0, about: 'Archive', said: '200' },
        { client: 1, about: 'Archive', said: hostile },
      ],
      svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    },
  ],
  divergences: [
    {
      ids: ['TAPS-LIMIT-CLAMPED'],
      points: ['refuse-taps-above-limit'],
      operation: 'submit-and-wait',
      model: '200',
      target: '400',
    },
    { ids: [], points: ['third-hashing-scheme'], operation: 'prepare', model: '200', target: '400' },
  ],
  permitted: { 'a difference': 3 },
  unconfirmed: { another: 1 },
  outcomes: [{ operation: 'contract-by-id', said: '200', count: 7 }],
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
    'TAPS-LIMIT-CLAMPED',
    'a difference',
    'another',
    'One wins.',
  ])
    t.ok(page.includes(text), text)
  t.match(exploredHtml({ ...record, findings: [], histories: [] }), /<h1>No findings<\/h1>/)
})

t.test('the page marks the member in which the responses differ', async (t) => {
  t.match(markedJson('{"a":{"b":1,"c":2}}', '/a/b').text, /&quot;b&quot;: <mark>1<\/mark>,\n/)
  t.match(markedJson('{"a":[1,2]}', '/a/1').text, /<mark>2<\/mark>/)
  t.match(markedJson('{"a":{}}', '/a/b').text, /<mark>&quot;b&quot; is absent<\/mark>/)
  t.equal(markedJson('no JSON <', '/a').text, 'no JSON &lt;')
})

t.test('JUnit has a failure for each finding, and a success without findings', async (t) => {
  const parser = new XMLParser({ ignoreAttributes: false })
  const xml = exploredJunit(record)
  t.equal(XMLValidator.validate(xml), true)
  const { testsuites } = parser.parse(xml) as {
    testsuites: { '@_failures': string; testsuite: { testcase: object[] } }
  } // our own text
  t.equal(testsuites['@_failures'], '2')
  t.equal(testsuites.testsuite.testcase.length, 2)
  const clean = exploredJunit({ ...record, findings: [], histories: [] })
  t.match(clean, /failures="0"/)
  t.match(clean, /<testcase name="the target behaves as the reference simulator"/)
})
