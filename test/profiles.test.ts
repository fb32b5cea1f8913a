// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { type JsonValue, parseJson, printJson } from '../interface/json.js'
import { readRecord } from '../record/read-record.js'
import type { Evidence } from '../record/record.js'
import { answerOf } from '../runner/judge/answer.js'
import { judgeRow, type RowVerdict } from '../runner/judge/judge-row.js'
import { compareOutcome } from '../runner/judge/outcome.js'
import { loadSuite } from '../runner/load/load-suite.js'
import { highestIn, profileAtVersion } from '../runner/profile-at-version.js'
import { run } from '../runner/run.js'
import type { ConditionOutcome, Matcher, NamedOutcome, Profile, Step, Suite } from '../runner/suite/suite.js'
import { readTarget } from '../runner/target/target.js'
import { startSimulator } from '../simulator/simulator.js'
import { factsOfConditions } from './condition-facts.js'
import {
  accepted,
  answered,
  caseOf,
  conditionOf,
  place,
  probeOf,
  profileOf,
  refused,
  rowOf,
  stepOf,
  suiteOf,
} from './small-suite.js'

const suites = fileURLToPath(new URL('../../suites/', import.meta.url))

const judge = (
  steps: Step[],
  evidence: Evidence[],
  profile: Partial<Profile>,
  suite: Suite = suiteOf(),
): RowVerdict => {
  const row = rowOf('row', steps)
  const performed = { evidence, variables: new Map<string, JsonValue>([['run', 'r1']]) }
  return judgeRow(caseOf('CASE', [row]), row, performed, profileOf(profile), suite)
}

const conditions = (...outcomes: ConditionOutcome[]): Map<string, ConditionOutcome> =>
  new Map(outcomes.map((outcome) => [outcome.condition, outcome]))

const status = (name: string, ...given: string[]): NamedOutcome => ({ name, status: given })

t.test('a condition can look different with each protocol version', (t) => {
  const old = conditionOf('late', [status('late', '409')])
  const fresh = conditionOf('late', 'accepted', 'UNCHECKED')
  const divergence = {
    id: 'UNCHECKED',
    rule: 'MUST',
    statement: '',
    confidence: 'observed',
    source: '',
    expect: new Map(),
    place,
  } as const
  const profile = profileOf({
    conditions: conditions(fresh),
    versions: new Map([
      [
        'late',
        new Map([
          [34, old],
          [35, fresh],
        ]),
      ],
    ]),
    divergences: [
      { ...divergence, protocolVersion: 35 },
      { ...divergence, id: 'EVER' },
    ],
  })
  const at = (version?: number): unknown => {
    const { conditions: found, divergences } = profileAtVersion(profile, version)
    return [found.get('late'), divergences.map(({ id }) => id)]
  }
  t.strictSame(at(34), [old, ['EVER']])
  t.strictSame(at(35), [fresh, ['UNCHECKED', 'EVER']])
  t.strictSame(at(), [fresh, ['UNCHECKED', 'EVER']], 'not known: the highest')
  t.strictSame(at(36), [fresh, ['EVER']], 'one that the profile does not name')
  t.equal(highestIn(profile), 35)
  t.equal(highestIn(profileOf()), undefined)
  t.end()
})

t.test('what was only read is a warning, and what the text says stays a must', (t) => {
  const read = (alternatives: NamedOutcome[] | 'accepted', divergence?: string): Partial<Profile> => ({
    conditions: conditions({ ...conditionOf('bad', alternatives, divergence), confidence: 'read' }),
  })
  const verdict = (profile: Partial<Profile>, answer: number): string =>
    judge([stepOf(refused('bad'))], [answered({}, { status: answer })], profile).verdict
  const known = read([status('bad', '404')])
  t.equal(verdict(known, 404), 'pass')
  t.equal(verdict(known, 400), 'warning', 'refused, though in another way')
  t.equal(verdict(known, 200), 'fail', 'not refused at all')
  t.equal(verdict(known, 500), 'fail', 'a server error')
  t.equal(verdict(read([status('bad', '500')], 'BROKEN'), 400), 'warning', 'better than what was read')
  t.equal(verdict(read('accepted', 'LAX'), 400), 'warning')
  t.equal(verdict(read('accepted', 'LAX'), 200), 'pass')
  t.equal(
    judge([stepOf(refused('bad'))], [answered({}, { status: 400 })], {
      conditions: conditions(conditionOf('bad', [status('bad', '404')])),
    }).verdict,
    'fail',
    'seen, not read',
  )
  t.end()
})

t.test('a request that may be accepted is judged by what became of it', (t) => {
  const open = { conditions: conditions(conditionOf('open', [{ name: 'yes', accepted: true }, status('no', '400')])) }
  const verdict = (answer: number): string =>
    judge([stepOf(refused('open'))], [answered({}, { status: answer })], open).verdict
  t.equal(verdict(200), 'pass')
  t.equal(verdict(400), 'pass')
  t.equal(verdict(404), 'fail')
  t.equal(verdict(500), 'fail')
  // The probe looks for effects only where there must be none.
  const probe = probeOf('look', [], [stepOf({ ...accepted, body: { '': { equals: 'untouched' } } })])
  const suite = suiteOf({ probes: new Map([['look', probe]]) })
  const row = rowOf('row', [stepOf(refused('open'))])
  const probed = (answer: number, found: string): string => {
    const looked = answer < 300 ? [] : [answered(found, { purpose: 'probe' })]
    const evidence = [answered({}, { status: answer }), ...looked]
    const performed = { evidence, variables: new Map<string, JsonValue>() }
    return judgeRow(caseOf('CASE', [row], { afterwards: 'look' }), row, performed, profileOf(open), suite).verdict
  }
  t.equal(probed(200, 'touched'), 'pass')
  t.equal(probed(400, 'touched'), 'fail')
  t.equal(probed(400, 'untouched'), 'pass')
  t.end()
})

t.test('a profile says how values look, under names that cases use', (t) => {
  const form = (matcher: Matcher, confidence: 'observed' | 'read' = 'observed') => ({
    matcher,
    text: { type: 'string' },
    confidence,
  })
  const verdict = (expected: Matcher, value: JsonValue, forms: Profile['forms']): string =>
    judge([stepOf({ ...accepted, body: { '/id': expected } })], [answered({ id: value })], { forms }).verdict
  const seen = new Map([['id', form({ pattern: '[0-9]+' })]])
  t.equal(verdict({ form: 'id' }, '7', seen), 'pass')
  t.equal(verdict({ form: 'id' }, 'x', seen), 'fail')
  t.equal(verdict({ form: 'id', equals: '8' }, '7', seen), 'fail', 'other matchers count beside it')
  t.equal(verdict({ each: { form: 'id' } }, ['7', '8'], seen), 'pass')
  t.equal(verdict({ each: { form: 'id' } }, ['7', 'x'], seen), 'fail')
  t.equal(verdict({ form: 'other' }, '7', seen), 'fail', 'one that the profile does not have')
  const read = new Map([['id', form({ pattern: '[0-9]+' }, 'read')]])
  t.equal(verdict({ form: 'id' }, '7', read), 'pass')
  t.equal(verdict({ form: 'id' }, 'x', read), 'warning')
  t.equal(verdict({ form: 'id' }, 7, read), 'fail', 'the text wants a text')
  t.equal(verdict({ each: { form: 'id' } }, ['x'], read), 'warning')
  t.end()
})

t.test('when to try again, and what is mentioned somewhere, are part of an outcome', (t) => {
  const met = (outcome: Omit<NamedOutcome, 'name'>, body: string): boolean => {
    const answer = answerOf(answered(null, { text: body, status: 409 }))
    return answer !== undefined && compareOutcome(outcome, answer).every((finding) => finding.met)
  }
  t.ok(met({ retry: '1 second' }, '{"retryInfo":"1 second"}'))
  t.notOk(met({ retry: '1 second' }, '{"retryInfo":null}'))
  t.notOk(met({ retry: '1 second' }, '{}'))
  t.ok(met({ retry: null }, '{"retryInfo":null}'))
  t.notOk(met({ retry: null }, '{"retryInfo":"1 second"}'))
  t.ok(met({ mentions: 'SOME_CODE' }, 'anything: SOME_CODE.'))
  t.notOk(met({ mentions: 'SOME_CODE' }, 'anything: OTHER_CODE.'))
  t.end()
})

t.test('a failure that another profile knows as a divergence names it', (t) => {
  const lax = profileOf({
    name: 'lax',
    conditions: conditions(conditionOf('bad', 'accepted', 'LAX')),
    divergences: [
      { id: 'LAX', rule: 'MUST', statement: '', confidence: 'observed', source: '', expect: new Map(), place },
    ],
  })
  const reason = (other: Profile, answer: number): string | undefined =>
    judge(
      [stepOf(refused('bad'))],
      [answered({}, { status: answer })],
      {},
      suiteOf({ profiles: new Map([['lax', other]]) }),
    ).reason
  t.equal(reason(lax, 200), 'status: expected 4xx, found 200 (known of lax: LAX)')
  t.equal(reason(lax, 302), 'status: expected 4xx, found 302', 'what nobody knows')
  const read = { ...lax, divergences: lax.divergences.map((one) => ({ ...one, confidence: 'read' as const })) }
  t.equal(reason(read, 200), 'status: expected 4xx, found 200', 'what nobody has seen')
  t.end()
})

interface Scenario {
  id: string
  steps: { call?: { path: string }; answer?: { status: number; contentType?: string; body?: JsonValue } }[]
}

const recorded = (file: string): { setting: string; scenarios: Scenario[] } =>
  JSON.parse(readFileSync(new URL(`../../test/recordings/${file}`, import.meta.url), 'utf8'))

const judgedPath = /^\/v2\/(?:contracts|commands|interactive-submission|package-vetting)\//

t.test('what canton-3.5 says of conditions is what the recorded participant answered', async (t) => {
  const { profiles } = await loadSuite(suites)
  const profile = profiles.get('canton-3.5')
  if (!profile) throw new Error('the suite has no profile canton-3.5')
  const files = [
    'conversations.json',
    'conversations-model.json',
    'conversations-vetting.json',
    'conversations-authorized.json',
  ]
  const scenarios = new Map(
    files.flatMap((file) => recorded(file).scenarios.map((one): [string, Scenario] => [one.id, one])),
  )
  for (const [condition, ids] of Object.entries(factsOfConditions)) {
    for (const id of ids) {
      const known = profileAtVersion(profile, 35).conditions.get(condition)
      const answers = (scenarios.get(id)?.steps ?? []).filter(
        ({ call, answer }) => answer && judgedPath.test(call?.path ?? ''),
      )
      const alternatives = known?.accepted ? [{ status: ['200'] }] : (known?.alternatives ?? [])
      const fits = answers.some(({ answer }) => {
        const text =
          typeof answer?.body === 'string' ? answer.body : printJson(parseJson(JSON.stringify(answer?.body ?? null)))
        const headers: [string, string][] = answer?.contentType ? [['content-type', answer.contentType]] : []
        const found = answerOf(answered(null, { status: answer?.status ?? 0, headers, text }))
        return alternatives.some((one) => found && compareOutcome(one, found).every(({ met }) => met))
      })
      t.ok(fits, `${condition}: ${id}`)
    }
  }
})

t.test('a run asks the target for its protocol version, and takes the one that is given', async (t) => {
  const suite = await loadSuite(suites)
  const profile = suite.profiles.get('canton-3.5')
  if (!profile) throw new Error('the suite has no profile canton-3.5')
  const folder = t.testdir()
  const versionOf = async (protocolVersion: 34 | 35, authorization: string, given?: number): Promise<unknown> => {
    const simulator = await startSimulator({ protocolVersion, authorization })
    const recordFile = join(folder, `${protocolVersion}-${given}.ndjson`)
    try {
      const options = { suite, profile, target: readTarget(simulator.url, authorization), embedded: true, recordFile }
      const limits = { only: 'CBI-WITNESSES*', tool: { name: 'test', version: '0' }, concurrency: 4, timeLimit: 30_000 }
      const asked = { ...options, ...limits, ...(given !== undefined && { protocolVersion: given }) }
      await run(asked, { planned: () => undefined, row: () => undefined })
    } finally {
      await simulator.close()
    }
    const { header } = await readRecord(recordFile)
    return [header.target.protocolVersion, header.divergences.some(({ id }) => id === 'DEPENDENCIES-UNCHECKED')]
  }
  t.strictSame(await versionOf(34, 'none'), [34, false])
  t.strictSame(await versionOf(35, 'hs256:secret'), [35, true])
  t.strictSame(await versionOf(35, 'none', 34), [34, false], 'as told')
})
