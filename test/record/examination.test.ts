/** Examination of mandatory rules. */
import t from 'tap'
import { type Examination, type ExaminedHeader, examineRules, leftOpen } from '../../record/judgements/examination.js'
import type { Reason } from '../../record/types/reason.js'
import type { RecordedRule, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { sampleHeader, sampleRecord } from '../support/records/sample-record.js'
import {
  said,
  sampleEvidence,
  sampleExpectation,
  sampleJudgement,
  sampleRow,
  sampleStep,
} from '../support/records/sample-row.js'

const rule = (id: string, more: Partial<RecordedRule> = {}): RecordedRule => ({
  id,
  statement: `The statement of ${id}.`,
  strength: 'must',
  section: 'One',
  ...more,
})

const header = (more: Partial<ExaminedHeader> = {}): ExaminedHeader => ({
  ...sampleHeader({ rules: [rule('R')], capabilities: {} }),
  ...more,
})

/** About the rule R; by default it passed. */
const row = (more: Partial<RunRow> = {}, resolved: Partial<ResolvedRow> = {}): RunRow =>
  sampleRow(
    'CASE/row',
    { judgements: [sampleJudgement({ rules: ['R'] })], ...more },
    { steps: [sampleStep({ expectations: [sampleExpectation(['R'])] })], ...resolved },
  )

const unsent = (verdict: RunRow['verdict'], reason: string, resolved: Partial<ResolvedRow> = {}): RunRow =>
  row({ verdict, reason: said(reason), evidence: [], judgements: [] }, resolved)

function stateOf(rows: RunRow[], more: Partial<ExaminedHeader> = {}): [Examination | undefined, ...Reason[]] {
  const [found] = examineRules(header(more), rows)
  return [found?.state, ...(found?.causes.map(([why]) => why) ?? [])]
}

t.test('a judgement that can fail examines its rule', async (t) => {
  t.strictSame(stateOf([row()]), ['examined'])
  const failed = row({ verdict: 'fail', judgements: [sampleJudgement({ rules: ['R'], met: false, found: ['500'] })] })
  t.strictSame(stateOf([failed]), ['examined'])
  t.strictSame(stateOf([unsent('blocked', 'A fixture failed.'), row()]), ['examined'], 'one row is enough')
})

t.test('a rule is open if the profile permits both outcomes or the participant declines the option', async (t) => {
  const either = sampleExpectation(['R'], {
    anyOf: (['accepted', 'refused'] as const).map((outcome) => ({
      outcome,
      checks: [{ on: 'status', oneOf: ['2xx'] }],
    })),
  })
  const permitted = row({}, { steps: [sampleStep({ expectations: [either] })] })
  t.strictSame(stateOf([permitted]), ['open', { code: 'all-permitted', profile: 'canton-3.5' }])
  const optional = row({ judgements: [sampleJudgement({ rules: ['R'], strength: 'may' })] })
  t.match(stateOf([optional]), ['open'])
  const declined = row({ verdict: 'not-applicable', reason: said('It is declined.'), evidence: [sampleEvidence()] })
  t.strictSame(stateOf([declined]), ['open', said('It is declined.')])
})

t.test('a rule is outside only because of the configuration', async (t) => {
  const needing = (...needs: string[]): RunRow[] => [unsent('not-applicable', 'It is not so.', { needs })]
  const state = (needs: string, capabilities: Record<string, boolean>) => stateOf(needing(needs), { capabilities })[0]
  t.equal(state('authorization', { 'open-access': true }), 'outside')
  t.equal(state('open-access', { authorization: true }), 'outside')
  t.equal(state('several-synchronizers', { 'one-synchronizer': true }), 'outside')
  t.equal(state('one-synchronizer', { 'several-synchronizers': true }), 'outside')
  t.equal(state('hashing-v3', { 'contract-keys': false }), 'outside', 'the protocol version is an older one')
  t.equal(state('authorization', { authorization: false }), 'missing', 'nothing shows that it is off')
  t.equal(state('conformance-model', { 'conformance-model': false }), 'missing', 'packages can be uploaded')
  t.equal(state('external-parties', { 'external-parties': false }), 'missing')
  const blocked = unsent('blocked', 'A fixture failed.', { needs: ['authorization'] })
  t.equal(stateOf([blocked], { capabilities: { 'open-access': true } })[0], 'missing', 'the row had to run')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the suite
  const declared = [unsent('not-applicable', 'Nothing is declared.', { values: { limit: '${tapsLimit}' } })]
  t.equal(stateOf(declared)[0], 'outside')
  t.equal(stateOf(declared, { variables: { tapsLimit: '4' } })[0], 'missing', 'a target file declares it')
})

t.test('every other cause is missing evidence, and a reason in the record changes nothing', async (t) => {
  t.strictSame(stateOf([]), ['missing', { code: 'not-covered' }])
  t.strictSame(stateOf([unsent('blocked', 'POST /v2/x is not implemented (404).')]), [
    'missing',
    said('POST /v2/x is not implemented (404).'),
  ])
  t.match(stateOf([unsent('error', 'A fault.')]), ['missing'])
  const forged = unsent('not-applicable', 'the target lacks the capability authorization')
  t.match(stateOf([forged], { capabilities: { 'open-access': true } }), ['missing'])
  const rows = [...['One.', 'Two.', 'Two.'].map((reason) => unsent('blocked', reason))]
  t.strictSame(examineRules(header(), rows)[0]?.causes, [
    [said('Two.'), 2],
    [said('One.'), 1],
  ])
})

t.test('a removable cause outweighs the configuration', async (t) => {
  const capabilities = { 'open-access': true }
  const outside = unsent('not-applicable', 'No token is checked.', { needs: ['authorization'] })
  const missing = unsent('not-applicable', 'A credential is missing.')
  const declined = row({ verdict: 'not-applicable', reason: said('It is declined.') })
  t.equal(stateOf([outside, missing], { capabilities })[0], 'missing')
  t.equal(stateOf([declined, outside], { capabilities })[0], 'outside')
  t.equal(stateOf([declined, outside, missing, row()], { capabilities })[0], 'examined')
})

t.test('untestable rules state a reason; recommendations and facts of another basis are not mandatory', async (t) => {
  const rules = [
    rule('INSIDE', { untestable: 'It happens inside.' }),
    rule('SHOULD', { strength: 'should' }),
    rule('FACT', { factOf: 'canton-3.5' }),
  ]
  const ids = (more: Partial<ExaminedHeader['profile']>) =>
    examineRules(header({ rules, profile: { ...sampleHeader().profile, ...more } }), []).map(
      ({ rule: { id }, state }) => `${id} ${state}`,
    )
  t.strictSame(ids({ basis: 'text' }), ['INSIDE untestable'])
  t.strictSame(ids({}), ['INSIDE untestable', 'FACT missing'])
})

t.test('a scope contains the rules of its rows and of its operations', async (t) => {
  const rules = [
    rule('R', { operations: ['execute'] }),
    rule('OWN', { operations: ['submit-and-wait', 'execute'] }),
    rule('OTHER', { operations: ['execute'] }),
    rule('ANY'),
    rule('INSIDE', { operations: ['submit-and-wait'], untestable: 'It happens inside.' }),
    rule('ALL-INSIDE', { untestable: 'It happens inside.' }),
    rule('OTHER-INSIDE', { operations: ['execute'], untestable: 'It happens inside.' }),
  ]
  const found = examineRules(header({ rules, selection: { operations: ['submit-and-wait'] } }), [row()])
  t.strictSame(
    found.map(({ rule: { id }, state }) => `${id} ${state}`),
    ['R examined', 'OWN missing', 'INSIDE untestable', 'ALL-INSIDE untestable'],
  )
})

t.test('another configuration can examine what is missing or outside', async (t) => {
  const record = await sampleRecord([unsent('blocked', 'A fixture failed.')], {
    rules: [rule('R'), rule('UNKNOWN'), rule('INSIDE', { untestable: 'It happens inside.' })],
  })
  t.strictSame([...leftOpen(record)], ['R', 'UNKNOWN'])
})

t.test('another configuration runs the rows that lacked a capability, also if their rule is examined', async (t) => {
  const reason: Reason = { code: 'lacks-capability', name: 'several-synchronizers' }
  const unsent: Partial<RunRow> = { verdict: 'not-applicable', reason, evidence: [], judgements: [] }
  const lacking = sampleRow('VET-ELSEWHERE/only', unsent)
  const record = await sampleRecord([lacking, row()], { rules: [rule('R')] })
  t.strictSame([...leftOpen(record)], ['VET-ELSEWHERE/only'])
})
