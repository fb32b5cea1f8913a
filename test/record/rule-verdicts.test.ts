/** Verdicts of rules, derived from judgements. */
import t from 'tap'
import { rulesOf, unmetRules } from '../../record/judgements/rule-verdicts.js'
import type { Judgement, RunRow } from '../../record/types/record.js'
import type { ResolvedStep, Role } from '../../record/types/resolved-row.js'
import { consoleSummary } from '../../reports/formats/console.js'
import { ctrfReport } from '../../reports/formats/ctrf.js'
import { junitReport } from '../../reports/formats/junit.js'
import { markdownReport } from '../../reports/formats/markdown.js'
import { tapReport } from '../../reports/formats/tap.js'
import { failureCauses } from '../../reports/summary/failure-causes.js'
import { ruleMatrix } from '../../reports/summary/rule-matrix.js'
import { readJunit, readTap } from '../support/records/read-formats.js'
import { sampleHeader, sampleRecord } from '../support/records/sample-record.js'
import { sampleExpectation, sampleJudgement, sampleRow, sampleStep } from '../support/records/sample-row.js'

/** Two members of the answer share one rule. */
const members: readonly [pointer: string, rules: string[]][] = [
  ['/contractId', ['CBI-1']],
  ['/templateId', ['CBI-2', 'GEN-9']],
  ['/witnesses', ['SAW-1']],
  ['/signatories', ['SAW-4', 'CBI-2']],
]

const all = ['CBI-1', 'CBI-2', 'GEN-9', 'SAW-1', 'SAW-4']

function rowWithWrong(index: number): RunRow {
  const expectations = members.map(([, rules]) => sampleExpectation(rules, { kind: 'content' }))
  const judgements = members.map(([pointer, rules], expectation) => {
    const met = expectation !== index
    return sampleJudgement({ expectation, rules, subject: 'body', pointer, found: [met ? '200' : 'wrong'], met })
  })
  return sampleRow('ANSWER/all', { verdict: 'fail', judgements }, { steps: [sampleStep({ expectations })] })
}

for (const [index, [pointer, rules]] of members.entries()) {
  t.test(`a wrong ${pointer} fails ${rules.join(' and ')}, and no other rule in any report`, async (t) => {
    const row = rowWithWrong(index)
    const record = await sampleRecord([row])
    const { header } = record
    const failed = all.filter((rule) => rules.includes(rule))
    const matrix = ruleMatrix(header, [rulesOf(row)])
    const having = (verdict: 'fail' | 'pass') => matrix.filter(({ counts }) => counts[verdict] > 0).map(({ id }) => id)
    t.same(having('fail').sort(), failed)
    t.same(
      having('pass').sort(),
      all.filter((rule) => !failed.includes(rule)),
      'and the others are met',
    )
    const [cause, ...others] = failureCauses([row], header)
    t.equal(others.length, 0, 'one cause')
    t.ok(cause?.differences[0]?.text.startsWith(`body ${pointer}: `))

    const [test] = JSON.parse(ctrfReport(record)).results.tests
    const verdicts: [string, string][] = Object.entries(test.extra.unmet)
    t.same(verdicts.flatMap(([rule, verdict]) => (verdict === 'fail' ? [rule] : [])).sort(), failed)
    const { failures } = await readTap(tapReport(record))
    t.same(
      Object(failures[0]?.diag)
        .rules.map(({ id }: { id: string }) => id)
        .sort(),
      failed,
    )
    const unmet = failed.map((rule) => `${rule}: 1 fail`)
    const properties = readJunit(junitReport(record)).testsuite[0]?.properties.property ?? []
    t.same(
      properties
        .find(({ name }) => name === 'rules not met')
        ?.value.split('; ')
        .sort(),
      unmet,
    )
    for (const text of [consoleSummary(record, { color: false }), markdownReport(record)]) {
      t.match(text, `8 rules: ${failed.length} not met (`)
      t.same([...text.matchAll(/([A-Z]+-\d): 1 fail/g)].map(([found]) => found).sort(), unmet)
    }
  })
}

const judged = (more: Partial<Judgement>) => sampleJudgement({ met: false, ...more })
const verdictsOf = (row: RunRow) => Object.fromEntries(rulesOf(row))

t.test('the verdict of an unmet expectation follows from its strength and confidence', async (t) => {
  const row = sampleRow('A/b', {
    verdict: 'fail',
    judgements: [
      judged({ rules: ['SAID'], confidence: 'text' }),
      judged({ rules: ['SEEN'], confidence: 'observed' }),
      judged({ rules: ['READ'], confidence: 'read' }),
      judged({ rules: ['ADVICE'], strength: 'should' }),
      judged({ rules: ['FREE'], strength: 'may' }),
      judged({ rules: ['BOTH'], strength: 'should' }),
      judged({ rules: ['BOTH'] }),
      judged({ rules: ['MET', 'SAID'], met: true }),
    ],
  })
  t.same(verdictsOf(row), {
    SAID: 'fail',
    SEEN: 'fail',
    READ: 'warning',
    ADVICE: 'warning',
    FREE: 'not-applicable',
    BOTH: 'fail',
    MET: 'pass',
  })
  t.same(unmetRules(row), ['SAID', 'SEEN', 'BOTH', 'READ', 'ADVICE'], 'what fails comes first')
  t.match(verdictsOf({ ...row, verdict: 'excused' }), {
    SAID: 'excused',
    BOTH: 'excused',
    READ: 'warning',
    MET: 'pass',
  })
  const unexplained = sampleRow('A/c', { verdict: 'unexpected-pass' })
  t.same(verdictsOf(unexplained), { 'SAW-1': 'unexpected-pass' }, 'a rule without an explanation is not met')
})

/** A step of each role with an expectation of each kind; rule ids contain both. */
function stepsOfAllRoles(): ResolvedStep[] {
  const kinds = ['outcome', 'server-error', 'content', 'shape', 'winners'] as const
  const roles: Role[] = ['arrange', 'probe-before', 'act', 'probe-after', 'restore']
  return roles.map((role) =>
    sampleStep({
      name: role,
      role,
      expectations: kinds.map((kind) => sampleExpectation([`${role} ${kind}`], { kind })),
    }),
  )
}

t.test(
  'a row that was not judged has its verdict for each rule that it is about, and for none of the others',
  async (t) => {
    const own = ['probe-before content', 'act outcome', 'act content', 'act winners', 'probe-after content']
    for (const verdict of ['blocked', 'error', 'not-applicable'] as const) {
      const row = sampleRow('A/b', { verdict, judgements: [judged({ rules: ['X-1'] })] }, { steps: stepsOfAllRoles() })
      t.same(rulesOf(row).sort(), own.map((rule) => [rule, verdict]).sort())
      t.same(unmetRules(row), [])
    }
  },
)

t.test('rules of unsent steps do not count', async (t) => {
  const after = sampleStep({
    name: 'find',
    role: 'probe-after',
    sentWhen: 'accepted',
    expectations: [sampleExpectation(['SAW-4'])],
  })
  t.same(verdictsOf(sampleRow('A/b', {}, { steps: [sampleStep(), after] })), { 'SAW-1': 'pass' })
})

/** All are met, except those of the given rules. */
const judgementsOfAll = (steps: ResolvedStep[], ...unmet: string[]): Judgement[] =>
  steps.flatMap(({ role, expectations }, step) =>
    expectations.map(({ rules }, expectation) =>
      sampleJudgement({ step, role, expectation, rules, met: !rules.some((rule) => unmet.includes(rule)) }),
    ),
  )

t.test(
  'beside the request under test only the content of answers judges rules, and what restores judges none',
  async (t) => {
    const steps = stepsOfAllRoles()
    const beside = ['arrange', 'probe-before', 'probe-after'].flatMap((role) => [`${role} content`, `${role} shape`])
    const tested = ['outcome', 'server-error', 'content', 'shape', 'winners'].map((kind) => `act ${kind}`)
    const passed = sampleRow('A/b', { judgements: judgementsOfAll(steps) }, { steps })
    t.same(Object.keys(verdictsOf(passed)).sort(), [...beside, ...tested].sort())
    t.ok(rulesOf(passed).every(([, verdict]) => verdict === 'pass'))

    const judgements = judgementsOfAll(
      steps,
      'act content',
      'probe-after outcome',
      'probe-after content',
      'restore outcome',
    )
    const found = verdictsOf(sampleRow('A/c', { verdict: 'fail', judgements }, { steps }))
    t.match(found, { 'act content': 'fail', 'act outcome': 'pass', 'probe-before content': 'pass' })
    t.notOk('probe-after content' in found || 'probe-after shape' in found, 'an unanswered probe judges nothing')

    const silent = judgements.map(({ expectation, ...rest }) =>
      rest.role === 'probe-after' || expectation === undefined ? rest : { ...rest, expectation },
    )
    const unanswered = verdictsOf(sampleRow('A/d', { verdict: 'fail', judgements: silent }, { steps }))
    t.same(unanswered, found, 'an unanswered request judges nothing')
  },
)

t.test('a row that failed in a probe during an outage fails the rules of the probe', async (t) => {
  const steps = stepsOfAllRoles()
  const judgements = judgementsOfAll(steps, 'probe-after outcome', 'restore outcome')
  const gone = verdictsOf(sampleRow('A/b', { verdict: 'fail', judgements }, { steps }))
  t.match(gone, { 'act content': 'pass', 'probe-after outcome': 'fail' })
  t.notOk('restore outcome' in gone)
  const nameless = judgements.map((one) => (one.role === 'probe-after' ? { ...one, rules: [] } : one))
  const unknown = verdictsOf(sampleRow('A/c', { verdict: 'fail', judgements: nameless }, { steps }))
  t.ok(
    Object.values(unknown).every((verdict) => verdict === 'fail'),
    'without a known rule, no rule is met',
  )
})

t.test('the matrix contains every rule of the header', async (t) => {
  const unmet = sampleRow('A/b', { verdict: 'fail', judgements: [judged({ rules: ['SAW-4'] })] })
  const lost = sampleRow('A/c', { verdict: 'blocked', judgements: [] })
  const matrix = ruleMatrix(sampleHeader(), [rulesOf(unmet), rulesOf(lost)])
  const line = (id: string) => matrix.find((rule) => rule.id === id)
  t.match(line('SAW-4'), { rows: 1, counts: { fail: 1, blocked: 0, pass: 0 } })
  t.match(line('SAW-1'), { rows: 1, counts: { fail: 0, blocked: 1, pass: 0 } })
  t.match(line('VET-9'), { rows: 0, untestable: 'It takes a second participant.' })
  t.equal(matrix.length, sampleHeader().rules.length)
})
