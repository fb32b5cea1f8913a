/** Rules belong to expectations: a wrong member of an answer violates exactly the rules of that member. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { isJsonObject, type JsonValue, parseJson, printJson } from '../../../lib/json/json.js'
import { readRecord } from '../../../record/file/read-record.js'
import type { RunRecord, RunRow } from '../../../record/types/record.js'
import type { ResolvedExpectation } from '../../../record/types/resolved-row.js'
import { judgeAgain } from '../../../runner/judge/judge-again.js'
import { judgeRow } from '../../../runner/judge/judge-row.js'
import { judgeBy } from '../../../runner/run/expectations-by.js'
import { run } from '../../../runner/run/run.js'
import type { Suite } from '../../../runner/suite/suite.js'
import { defaultAccess } from '../../../runner/target/target-file.js'
import { removeAt, setAt } from '../../../runner/template/pointer.js'
import { variablesOf } from '../../../runner/template/variables.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { readTarget } from '../../support/suites/plain-target.js'
import { profileNamed, suiteOf } from '../../support/suites/whole-suite.js'
import { inWords } from '../../support/words/in-words.js'

async function recordOf(t: Test, chosen: Suite, name: string): Promise<RunRecord> {
  const simulator = await startSimulator()
  t.teardown(simulator.close)
  const recordFile = join(t.testdir(), `${name}.ndjson`)
  const target = readTarget(simulator.url, 'none')
  const limits = { concurrency: 8, timeLimit: 30_000, tool: { name: 'test', version: '0' } }
  await run(
    {
      suite: chosen,
      profile: profileNamed(name),
      target,
      access: defaultAccess,
      embedded: true,
      recordFile,
      ...limits,
    },
    { planned: () => undefined, row: () => undefined },
  )
  return readRecord(recordFile)
}

function membersOf(value: JsonValue, pointer = ''): string[] {
  const inner = Array.isArray(value) ? Object.entries(value) : isJsonObject(value) ? Object.entries(value) : []
  const below = inner.flatMap(([name, item]) =>
    membersOf(item, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return pointer === '' ? below : [pointer, ...below]
}

/** Replacements of a value: of the same type, empty, of another type. */
function alterations(value: JsonValue): JsonValue[] {
  if (typeof value === 'string') return [`${value}x`, `x${value}`, '', 7]
  if (typeof value === 'boolean') return [!value, null]
  if (value === null) return ['x', 7]
  if (Array.isArray(value)) return [[], [...value, 'x'], null]
  return isJsonObject(value) ? [{}, null] : [-7, 'x']
}

const shapeRule = 'GEN-RESPONSE-SHAPE'

const isAround = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

const pointersOf = ({ anyOf }: ResolvedExpectation): string[] =>
  anyOf.flatMap(({ checks }) => checks.flatMap((check) => (check.on === 'body' ? [check.pointer] : [])))

const concerning = (expectations: readonly ResolvedExpectation[], member: string): ResolvedExpectation[] =>
  expectations.filter((one) => pointersOf(one).some((pointer) => isAround(pointer, member)))

const rulesIn = (expectations: readonly ResolvedExpectation[]): Set<string> =>
  new Set(expectations.flatMap(({ rules }) => rules))

/** The unmet rules of the row with another body in the answer under test. */
function brokenBy({ header }: RunRecord, row: RunRow, body: JsonValue): Set<string> {
  const evidence = row.evidence.map((exchange) => {
    if (exchange.role !== 'act' || !exchange.response) return exchange
    const text = printJson(body)
    return { ...exchange, response: { ...exchange.response, body: { text, bytes: Buffer.byteLength(text) } } }
  })
  const variables = variablesOf(header.variables, row.variables)
  const { judgements } = judgeRow(row.resolved, { evidence, variables })
  return new Set(judgements.filter(({ met }) => !met).flatMap(({ rules }) => rules))
}

t.test('an altered member of an answer violates exactly the rules of that member', async (t) => {
  const record = await recordOf(
    t,
    suiteOf((id) => /^(?:EWT-ANSWER|CBI-CONTENT)\//.test(id)),
    'canton-3.5',
  )
  t.ok(record.rows.length >= 12)
  let judged = 0
  for (const row of record.rows) {
    t.equal(row.verdict, 'pass', row.id)
    const act = row.resolved.steps.find(({ role }) => role === 'act')
    const answer = parseJson(row.evidence.find(({ role }) => role === 'act')?.response?.body.text ?? 'null')
    for (const member of membersOf(answer)) {
      const content = concerning(act?.expectations.filter(({ kind }) => kind === 'content') ?? [], member)
      const permitted = rulesIn(content)
      const values = alterations(valueIn(answer, member)).map((value) => setAt(answer, member, value))
      const broken = [...values, removeAt(answer, member)].flatMap((body) => [...brokenBy(record, row, body)])
      const others = broken.filter((rule) => rule !== shapeRule && !permitted.has(rule))
      t.strictSame(others, [], `${row.id} ${member}: other rules`)
      const own = rulesIn(content.filter((one) => pointersOf(one).includes(member)))
      t.strictSame(
        [...own].filter((rule) => !broken.includes(rule)),
        [],
        `${row.id} ${member}: rules that no alteration violates`,
      )
      judged += own.size > 0 ? 1 : 0
    }
  }
  t.ok(judged >= 30, `${judged} members with expectations`)
})

function valueIn(answer: JsonValue, pointer: string): JsonValue {
  let found: JsonValue = answer
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    found = Array.isArray(found) ? (found[Number(name)] ?? null) : isJsonObject(found) ? (found[name] ?? null) : null
  }
  return found
}

t.test('a record judged again by another profile has the verdicts of a run by it', async (t) => {
  const chosen = suiteOf((id) => /^CBI-(?:CONTENT|NOT)|^SAW-DEDUPLICATION/.test(id))
  const [facts, text] = [await recordOf(t, chosen, 'canton-3.5'), await recordOf(t, chosen, 'interface')]
  const verdictsOf = ({ rows }: RunRecord): Record<string, string> =>
    Object.fromEntries(rows.map(({ id, verdict }) => [id, verdict]).toSorted())
  const byText = (record: RunRecord): RunRecord => judgeBy(record, profileNamed('interface'), chosen)
  t.not(JSON.stringify(verdictsOf(facts)), JSON.stringify(verdictsOf(text)), 'the two profiles differ')
  t.strictSame(verdictsOf(byText(facts)), verdictsOf(text))
  t.strictSame(verdictsOf(judgeBy(text, profileNamed('canton-3.5'), chosen)), verdictsOf(facts))
  const same = judgeAgain(facts)
  t.strictSame(same.rows, facts.rows, 'its own profile gives the same rows')
  t.match(byText(facts).header, {
    profile: { name: 'interface' },
    judgedAgain: { profile: 'canton-3.5' },
  })
  const [first] = facts.rows.filter(({ evidence }) => evidence.length > 0)
  if (!first) throw new Error('no row was sent')
  const cut = {
    ...first,
    evidence: first.evidence.map((one) =>
      one.response
        ? { ...one, response: { ...one.response, body: { ...one.response.body, cut: true as const } } }
        : one,
    ),
  }
  const [again] = byText({ ...facts, rows: [cut] }).rows
  t.match(again, {
    verdict: 'blocked',
    reason: { code: 'not-judged-again', because: { code: 'evidence-cut' } },
    judgements: [],
  })
  const why = (record: RunRecord): string => inWords(byText(record).rows[0]?.reason)
  t.match(why({ ...facts, rows: [{ ...first, redacted: true }] }), /redaction removed secrets/)
  t.match(why({ ...facts, header: { ...facts.header, redacted: true }, rows: [first] }), /redaction removed secrets/)
  const unsuited = { profile: facts.header.profile, expectations: () => undefined, byText: () => undefined }
  t.match(judgeAgain({ ...facts, rows: [first] }, unsuited).rows[0]?.reason, {
    because: { code: 'other-requests', profile: 'canton-3.5' },
  })
})
