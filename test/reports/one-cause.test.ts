/** Which failures have one cause, and its title. */
import t from 'tap'
import type { RuleExamination } from '../../record/judgements/examination.js'
import { type CheckedFact, jsonBody, type Reason } from '../../record/types/reason.js'
import type { Judgement, RunRow } from '../../record/types/record.js'
import type { CheckName, Confidence } from '../../record/types/resolved-row.js'
import type { Verdict } from '../../record/types/verdict.js'
import { consoleFailures } from '../../reports/formats/console-failures.js'
import { causeInWords, causesOf } from '../../reports/summary/cause.js'
import { byCause } from '../../reports/summary/evidence.js'
import { failureCauses } from '../../reports/summary/failure-causes.js'
import { suggestedWaivers } from '../../reports/summary/suggest-waivers.js'
import { failedRow, titledCauses } from '../support/records/sample-causes.js'
import { sampleHeader, sampleRecord } from '../support/records/sample-record.js'
import { sampleRow } from '../support/records/sample-row.js'

const failedStep = (unmet: CheckedFact): Reason => ({
  code: 'unexpected-answer',
  step: 'create',
  operation: 'submit-and-wait',
  unmet,
})

t.test('causes with one title are one, whatever requires their differences', (t) => {
  const status = (found: string, byText?: Verdict) =>
    failedRow(`A/${found}`, [{ rules: ['SAW-4'], confidence: 'observed', wanted: ['403'], found: [found] }], {
      ...(byText && { verdictByText: byText }),
    })
  const causesOfRows = (...rows: RunRow[]) =>
    failureCauses(rows, sampleHeader()).map(({ tag, rows: some }) => [tag, some.length])
  const own = 'SAW-4, expectation of the profile, observed on a live participant'
  t.strictSame(causesOfRows(status('400', 'pass'), status('404', 'fail')), [[own, 2]])
  t.strictSame(causesOfRows(status('400'), failedRow('A/2', [{ rules: ['SAW-4'], found: ['404'] }])), [
    [`${own}; SAW-4, mandatory, section 3.4`, 2],
  ])
  t.end()
})

t.test('a value that the profile rejects is the title, because it can meet the rule', (t) => {
  const unmet: Partial<Judgement> = {
    subject: 'body',
    pointer: '/a',
    wanted: ['"a"'],
    found: ['"b"'],
    rules: ['SAW-4'],
  }
  const causeBy = (confidence: Confidence) =>
    failureCauses([failedRow('A/1', [{ ...unmet, confidence }], { verdictByText: 'fail' })], sampleHeader())[0]
  t.match(causeBy('observed'), {
    title: 'body /a: wrong string',
    differences: [{ text: /^for example expected .*"a", found "b"$/ }],
  })
  t.match(causeBy('text'), { title: /^[A-Z].*\.$/, differences: [{ text: /^body \/a: wrong string; for example / }] })
  t.end()
})

t.test('a media type, or the form of an error body, is the same cause in rows of any rules', async (t) => {
  const observed: Partial<Judgement> = { confidence: 'observed', situation: 'empty-act-as' }
  const type: Partial<Judgement> = {
    ...observed,
    subject: 'header content-type',
    check: 'media-type',
    wanted: ['application/json'],
    found: [],
  }
  const body: Partial<Judgement> = { ...observed, subject: 'body' }
  const member: Partial<Judgement> = {
    ...body,
    pointer: '/correlationId',
    check: 'type',
    wanted: ['"string"'],
    found: ['7'],
  }
  const code: Partial<Judgement> = { ...body, pointer: '/code', check: 'equals', wanted: ['"A"'], found: ['"B"'] }
  const rows = [
    failedRow('A/1', [{ ...type, rules: ['SAW-1'] }]),
    failedRow('A/2', [{ ...type, rules: ['SAW-4'], role: 'probe-before' }]),
    failedRow('A/3', [{ ...type, rules: ['GEN-9'], role: 'arrange' }]),
    failedRow('A/4', [{ ...member, rules: ['SAW-1'] }]),
    failedRow('A/5', [{ ...member, rules: ['SAW-4'] }]),
    failedRow('A/6', [{ ...code, rules: ['SAW-1'] }]),
  ]
  const causes = failureCauses(rows, sampleHeader())
  const own = 'expectation of the profile, observed on a live participant'
  t.strictSame(
    causes.map(({ title, tag, rows: some }) => [title, tag, some.length]),
    [
      ['header content-type: expected application/json, found nothing', own, 3],
      ['body /correlationId: expected string, found number', own, 2],
      ['body /code: wrong string', `SAW-1, ${own}`, 1],
    ],
  )
})

t.test('one wrong member is one cause, whatever its value, its step and the other rules of a row', async (t) => {
  const shape = { subject: 'body', rules: ['SAW-4'] }
  const rows = Array.from({ length: 100 }, (_, index): RunRow => {
    const missing = {
      ...shape,
      pointer: `/events/${index % 3}`,
      check: 'shape' as const,
      wanted: ['required', 'id'],
      found: [`{"offset":${index}}`],
    }
    const own = { subject: 'body', pointer: `/events/${index % 3}/id`, wanted: [`"${index}"`], found: [] }
    const role = index % 2 === 0 ? ('act' as const) : ('arrange' as const)
    return failedRow(`A/${index}`, index % 4 === 0 ? [{ ...own, rules: ['SAW-1'] }, missing] : [{ ...missing, role }])
  })
  const [cause, ...others] = failureCauses(rows, sampleHeader())
  t.equal(others.length, 0)
  t.match(cause, {
    tag: /^SAW-4, mandatory/,
    differences: [{ text: /^body \/events\/\*\/id: missing; for example /, rows: 100 }],
    rows: { length: 100 },
  })
  const record = await sampleRecord(rows)
  const lines = consoleFailures(record, { color: false }).split('\n')
  t.ok(lines.length <= 40, `${lines.length} lines`)
})

t.test('the kind of a fault names types and presence, and a status names its class', async (t) => {
  const body = (check: CheckName, wanted: string[], ...found: string[]): Partial<Judgement> => ({
    subject: 'body',
    pointer: '/x',
    check,
    wanted,
    found,
  })
  const kinds: [judgement: Partial<Judgement>, sentence: string][] = [
    [body('equals', ['"a"'], '4'), 'body /x: expected string, found number'],
    [body('equals', ['"a"'], '"b"'), 'body /x: wrong string'],
    [body('one-of', ['["a","b"]'], '"c"'), 'body /x: wrong string'],
    [body('shape', ['type', 'string'], '4711'), 'body /x: expected string, found number'],
    [body('type', ['"integer"'], '"1"'), 'body /x: expected integer, found string'],
    [body('same-set', ['["a"]'], '["a","b"]'), 'body /x: wrong array'],
    [body('same-set', ['["a"]'], '{"a":1}'), 'body /x: expected array, found object'],
    [{ ...body('equals', ['"a"'], 'null'), optional: true }, 'body /x: expected string, found null'],
    [body('present', ['false'], '1'), 'body /x: must be absent'],
    [body('unpopulated', ['true'], '"a"'), 'body /x: must be unpopulated'],
    [
      body('unpopulated', ['false'], 'null'),
      'body /x: expected populated (neither absent, nor null, nor the empty value of its type)',
    ],
    [body('null', ['true'], '"a"'), 'body /x: expected null'],
    [body('empty', ['true'], '"a"'), 'body /x: expected empty'],
    [body('timestamp', ['true']), 'body /x: missing'],
    [body('at', ['{"/a":{"equals":1}}'], '["a"]'), 'body /x: wrong array'],
    [body('hash', ['11e683'], '"{}"'), 'body /x: no mention of the hash to sign'],
    [body('text', ['17'], '"{}"'), 'body /x: no mention of the expected text'],
    [body('mentions', ['["a"]'], '"{}"'), 'body /x: no mention of the expected text'],
    [body('mentions-none', ['["a"]'], '"a"'), 'body /x: mention of a text that must be absent'],
    [body('constructor' as CheckName, ['"a"'], '"b"'), 'body /x: wrong string'], // of a record of any origin
    [{ wanted: ['400'], found: ['200'] }, 'status: expected 4xx, found 200'],
    [{ wanted: ['400', '404'], found: ['200'] }, 'status: expected 4xx, found 200'],
    [{ wanted: ['400'], found: ['404'] }, 'status: expected 400, found 404'],
    [{ wanted: ['200'], found: ['404'] }, 'status: expected 200, found 404'],
  ]
  for (const [judgement, sentence] of kinds)
    t.same(titledCauses([failedRow('A/1', [judgement])]), [[sentence, ['A/1']]])
  const [cause] = causesOf([failedRow('A/1', [body('shape', ['type', 'string'], '7')])])
  t.equal(
    cause && causeInWords(cause, 100),
    'body /x: expected string, found number; for example must be string, found 7',
  )
  const explained = failedRow('A/1', [body('equals', ['"a"']), { wanted: ['404'], found: ['200'] }])
  t.same(
    titledCauses([explained]),
    [['status: expected 4xx, found 200', ['A/1']]],
    'a wrong status explains its answer',
  )
})

t.test('rules with the same causes are one group, in any order of the causes', (t) => {
  const [absent, scheme]: [Reason, Reason] = [{ code: 'no-packages' }, { code: 'scheme-not-prepared' }]
  const untested = (id: string, ...causes: [Reason, number][]) => ({
    rule: { ...(sampleHeader().rules[0] ?? {}), id } as RuleExamination['rule'], // of the sample
    state: 'missing' as const,
    causes,
  })
  const groups = byCause([untested('A', [absent, 2], [scheme, 1]), untested('B', [scheme, 2], [absent, 1])])
  t.strictSame(
    groups.map(([, ids]) => ids),
    [['A', 'B']],
  )
  t.end()
})

t.test('a cause of broken answers counts the requests', (t) => {
  const lost = { subject: 'answer', check: 'answer' as const, wanted: [], found: ['reset', 'it ended early'] }
  const rows = ['submit-and-wait', 'prepare', 'prepare'].map((operation, index) => {
    const row = failedRow(`A/${index}`, [lost])
    return { ...row, resolved: { ...row.resolved, steps: row.resolved.steps.map((step) => ({ ...step, operation })) } }
  })
  t.match(failureCauses(rows, sampleHeader()), [
    {
      differences: [
        { text: 'POST /v2/interactive-submission/prepare', rows: 2 },
        { text: 'POST /v2/commands/submit-and-wait', rows: 1 },
      ],
    },
  ])
  const waivers = suggestedWaivers({ header: sampleHeader(), rows, defects: [] }, 'Ann', new Date(0))
  t.match(waivers, 'reason: "no response: it ended early"\n')
  t.end()
})

t.test('rows blocked by a broken answer to a fixture have the cause of the failed rows, behind them', (t) => {
  const type = { subject: 'header content-type', check: 'media-type' as const, wanted: ['application/json'] }
  const answers: [title: string, unmet: Partial<Judgement>, because: Reason][] = [
    [
      'no response: it ended early',
      { subject: 'answer', check: 'answer', wanted: [], found: ['reset', 'it ended early'] },
      failedStep({ subject: 'answer', check: 'answer', wanted: [], found: ['reset', 'it ended early'] }),
    ],
    [
      'a response that is not JSON',
      { subject: 'body', check: 'json', wanted: [], found: [], notJson: true },
      {
        code: 'not-captured',
        step: 'create',
        missing: [{ variable: 'a', pointer: '/a', form: jsonBody, found: '"{"' }],
      },
    ],
    [
      'header content-type: expected application/json, found text/html',
      { ...type, found: ['text/html'] },
      failedStep({ ...type, found: ['text/html'] }),
    ],
  ]
  for (const [title, unmet, because] of answers) {
    const reasons: Reason[] = [
      { code: 'fixture-failed', fixture: 'ping', because },
      { code: 'nothing-accepted', operation: 'prepare', because },
    ]
    const blocked = reasons.map((reason, index) =>
      sampleRow(`B/${index}`, { verdict: 'blocked', reason, judgements: [] }),
    )
    const causes = titledCauses([...blocked, failedRow('A/1', [unmet])])
    t.strictSame(causes, [[title, ['A/1', 'B/0', 'B/1']]])
  }
  t.end()
})

t.test('rows blocked by fixtures that lack the same member are one cause, after the failed rows', (t) => {
  const reason = (name: string): Reason => ({
    code: 'fixture-failed',
    fixture: name,
    because: {
      code: 'not-captured',
      step: `create-${name}`,
      missing: [{ variable: `${name}.id`, pointer: '/updateId' }],
    },
  })
  const blocked = ['ping', 'own', 'desk'].map((name) =>
    sampleRow(name, { verdict: 'blocked', reason: reason(name), judgements: [] }),
  )
  t.same(titledCauses([...blocked, failedRow('A/1', [{ found: ['404'] }])]), [
    ['status: expected 200, found 404', ['A/1']],
    ['the fixture ping failed: step create-ping did not return ping.id (/updateId)', ['ping', 'own', 'desk']],
  ])
  t.end()
})
