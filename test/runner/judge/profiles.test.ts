// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type JsonValue, parseJson, printJson } from '../../../lib/json/json.js'
import { readRecord } from '../../../record/file/read-record.js'
import type { Check } from '../../../record/types/resolved-row.js'
import { answerOf } from '../../../runner/judge/answer.js'
import { evaluateCheck } from '../../../runner/judge/evaluate-check.js'
import { judgeRow, type RowVerdict } from '../../../runner/judge/judge-row.js'
import { judgeWithText } from '../../../runner/judge/judge-with-text.js'
import { compareExpectations } from '../../../runner/judge/other-expectations.js'
import { matcherOf, rulesOfRow, selectRows } from '../../../runner/plan/select.js'
import { profileAtVersion, resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import { run } from '../../../runner/run/run.js'
import type { Matcher, PermittedResponse, Profile, SituationFact } from '../../../runner/suite/suite.js'
import { defaultAccess } from '../../../runner/target/target-file.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { judge as judgeSmall, resolvedRow } from '../../support/records/judged-row.js'
import { answered, filed, type NamedEvidence } from '../../support/records/small-evidence.js'
import { readTarget } from '../../support/suites/plain-target.js'
import {
  accepted,
  factOf,
  location,
  probeOf,
  profileOf,
  situation,
  stepOf,
  suiteOf,
} from '../../support/suites/small-suite.js'
import { profileNamed, resolvedSuite, wholeSuite } from '../../support/suites/whole-suite.js'
import type { InWords } from '../../support/words/in-words.js'
import { factsOfSituations } from './situation-facts.js'

const judge = (
  steps: Parameters<typeof judgeSmall>[0],
  evidence: NamedEvidence[],
  profile: Partial<Profile>,
): InWords<RowVerdict> => judgeSmall(steps, evidence, { profile })

const situations = (...facts: SituationFact[]): Map<string, SituationFact> =>
  new Map(facts.map((fact) => [fact.situation, fact]))

const status = (name: string, ...given: string[]): PermittedResponse => ({ name, outcome: 'refused', status: given })

t.test('a situation can have another outcome with each protocol version', (t) => {
  const old = factOf('late', [status('late', '409')])
  const fresh = factOf('late', 'accepted', { divergence: 'UNCHECKED' })
  const divergence = {
    id: 'UNCHECKED',
    rule: 'MUST',
    statement: '',
    confidence: 'observed',
    source: '',
    expect: new Map(),
    location,
  } as const
  const profile = profileOf({
    situations: situations(fresh),
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
    const { situations: found, divergences } = profileAtVersion(profile, version)
    return [found.get('late'), divergences.map(({ id }) => id)]
  }
  t.strictSame(at(34), [old, ['EVER']])
  t.strictSame(at(35), [fresh, ['UNCHECKED', 'EVER']])
  t.strictSame(at(), [fresh, ['UNCHECKED', 'EVER']], 'unknown: the highest version')
  t.strictSame(at(36), [fresh, ['EVER']], 'a version that the profile does not name')
  t.end()
})

t.test('a difference from a fact that was only read is a warning, and from the text a failure', (t) => {
  const read = (alternatives: PermittedResponse[] | 'accepted', divergence?: string): Partial<Profile> => {
    const given = { confidence: 'read', ...(divergence !== undefined && { divergence }) } as const
    return { situations: situations(factOf('bad', alternatives, given)) }
  }
  const verdict = (profile: Partial<Profile>, answer: number): string =>
    judge([stepOf(situation('bad'))], [answered({}, { status: answer })], profile).verdict
  const known = read([status('bad', '404')])
  t.equal(verdict(known, 404), 'pass')
  t.equal(verdict(known, 400), 'warning', 'rejected in another way')
  t.equal(verdict(known, 200), 'fail', 'accepted')
  t.equal(verdict(known, 500), 'fail', 'a server error')
  t.equal(verdict(read([status('bad', '500')], 'BROKEN'), 400), 'warning', 'better than the fact')
  t.equal(verdict(read('accepted', 'LAX'), 400), 'warning')
  t.equal(verdict(read('accepted', 'LAX'), 200), 'pass')
  t.equal(
    judge([stepOf(situation('bad'))], [answered({}, { status: 400 })], {
      situations: situations(factOf('bad', [status('bad', '404')])),
    }).verdict,
    'fail',
    'an observed fact',
  )
  t.end()
})

t.test('a request that may be accepted or rejected is judged by its outcome', (t) => {
  const open = { situations: situations(factOf('open', [{ name: 'yes', outcome: 'accepted' }, status('no', '400')])) }
  const verdict = (answer: number): string =>
    judge([stepOf(situation('open'))], [answered({}, { status: answer })], open).verdict
  t.equal(verdict(200), 'pass')
  t.equal(verdict(400), 'pass')
  t.equal(verdict(404), 'fail')
  t.equal(verdict(500), 'fail')
  // The probe runs only after a rejection.
  const probe = probeOf('check', [], [stepOf({ ...accepted, body: { '': { equals: 'untouched' } } })])
  const suite = suiteOf({ probes: new Map([['check', probe]]) })
  const probed = (answer: number, found: string): string => {
    const probes = answer < 300 ? [] : [answered(found, { step: 'ask 2' })]
    const evidence = [answered({}, { status: answer }), ...probes]
    const given = { suite, profile: open, case: { afterwards: 'check' } }
    return judgeSmall([stepOf(situation('open'))], evidence, given).verdict
  }
  t.equal(probed(200, 'touched'), 'pass')
  t.equal(probed(400, 'touched'), 'fail')
  t.equal(probed(400, 'untouched'), 'pass')
  t.end()
})

t.test('a profile defines the formats that cases name', (t) => {
  const format = (matcher: Matcher, confidence: 'observed' | 'read' = 'observed') => ({
    matcher,
    text: { type: 'string' },
    confidence,
  })
  const verdict = (expected: Matcher, value: JsonValue, formats: Profile['formats']): string =>
    judge([stepOf({ ...accepted, body: { '/id': expected } })], [answered({ id: value })], { formats }).verdict
  const seen = new Map([['id', format({ pattern: '[0-9]+' })]])
  t.equal(verdict({ format: 'id' }, '7', seen), 'pass')
  t.equal(verdict({ format: 'id' }, 'x', seen), 'fail')
  t.equal(verdict({ format: 'id', equals: '8' }, '7', seen), 'fail', 'the other matchers count, too')
  t.equal(verdict({ each: { format: 'id' } }, ['7', '8'], seen), 'pass')
  t.equal(verdict({ each: { format: 'id' } }, ['7', 'x'], seen), 'fail')
  t.throws(() => verdict({ format: 'other' }, '7', seen), /unknown format other/)
  const read = new Map([['id', format({ pattern: '[0-9]+' }, 'read')]])
  t.equal(verdict({ format: 'id' }, '7', read), 'pass')
  t.equal(verdict({ format: 'id' }, 'x', read), 'warning')
  t.equal(verdict({ format: 'id' }, 7, read), 'fail', 'the text requires a string')
  t.equal(verdict({ each: { format: 'id' } }, ['x'], read), 'warning')
  t.end()
})

t.test('retry information and mentioned texts are part of an outcome', (t) => {
  const met = (pattern: Omit<PermittedResponse, 'name' | 'outcome'>, body: string): boolean => {
    const profile = { situations: situations(factOf('late', [{ name: 'late', outcome: 'refused', ...pattern }])) }
    return judge([stepOf(situation('late'))], [answered(null, { text: body, status: 409 })], profile).verdict === 'pass'
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

t.test('a failure has the verdict by the interface text', (t) => {
  const lenient = { situations: situations(factOf('bad', 'accepted')) }
  const steps = [stepOf(situation('bad'))]
  const own = resolvedRow(steps)
  const text = compareExpectations(own, resolvedRow(steps, { profile: lenient }))
  const verdictFor = (status: number, byText = text) => {
    const performed = { evidence: filed(own, [answered({}, { status })]), variables: new Map() }
    return judgeWithText(own, performed, () => byText).verdictByText
  }
  t.equal(verdictFor(200), 'pass')
  t.equal(verdictFor(200, {}), 'fail')
  t.equal(verdictFor(400), undefined, 'a row that passes')
  t.end()
})

t.test('a target that does not share a divergence follows the text', (t) => {
  const divergent = (confidence: 'observed' | 'read'): Partial<Profile> => ({
    situations: situations(factOf('bad', 'accepted', { divergence: 'LAX', confidence })),
  })
  const verdictBy = (profile: Partial<Profile>, answer: number, byText?: Partial<Profile>) => {
    const steps = [stepOf(situation('bad'))]
    const [own, text] = [resolvedRow(steps, { profile }), resolvedRow(steps, { ...(byText && { profile: byText }) })]
    const performed = { evidence: filed(own, [answered({}, { status: answer })]), variables: new Map() }
    const { verdict, known, verdictByText } = judgeWithText(own, performed, () => compareExpectations(own, text))
    return { verdict, known, verdictByText }
  }
  const follows = {
    verdict: 'follows-the-text',
    known: ['LAX'],
  }
  t.match(verdictBy(divergent('observed'), 400), follows)
  t.match(verdictBy(divergent('read'), 400), { verdict: 'follows-the-text' }, 'a fact that was only read')
  t.match(
    verdictBy(divergent('observed'), 200),
    { verdict: 'pass', known: undefined, verdictByText: 'fail' },
    'as the reference',
  )
  t.match(verdictBy(divergent('observed'), 503), { verdict: 'fail', known: undefined }, 'neither of the two')
  const strict = { situations: situations(factOf('bad', 'accepted', { confidence: 'observed' })) }
  t.match(verdictBy(strict, 400), { verdict: 'fail' }, 'no recorded divergence')
  const seen = {
    situations: situations(factOf('bad', [{ name: 'seen', outcome: 'refused' }], { confidence: 'observed' })),
  }
  t.match(verdictBy(divergent('observed'), 400, seen), { verdict: 'fail' }, 'an observed fact is not the text')
  t.end()
})

interface Scenario {
  id: string
  steps: { call?: { path: string }; answer?: { status: number; contentType?: string; body?: JsonValue } }[]
}

const recorded = (file: string): { setting: string; scenarios: Scenario[] } =>
  JSON.parse(readFileSync(new URL(`../../../../test/recordings/${file}`, import.meta.url), 'utf8'))

const judgedPath = /^\/v2\/(?:contracts|commands|interactive-submission|package-vetting)\//

t.test('the recorded participant answers as canton-3.5 states', (t) => {
  const profile = profileNamed('canton-3.5')
  const files = [
    'request-sequences.json',
    'request-sequences-model.json',
    'request-sequences-vetting.json',
    'request-sequences-authorized.json',
    'request-sequences-instants.json',
    'request-sequences-integers.json',
    'request-sequences-preferences.json',
    'request-sequences-tokens.json',
  ]
  const scenarios = new Map(
    files.flatMap((file) => recorded(file).scenarios.map((one): [string, Scenario] => [one.id, one])),
  )
  for (const [name, ids] of Object.entries(factsOfSituations)) {
    const row = resolvedRow([stepOf(situation(name))], { profile: profileAtVersion(profile, 35) })
    const alternatives = row.steps[0]?.expectations.find(({ kind }) => kind === 'outcome')?.anyOf ?? []
    for (const id of ids) {
      const answers = (scenarios.get(id)?.steps ?? []).filter(
        ({ call, answer }) => answer && judgedPath.test(call?.path ?? ''),
      )
      const fits = answers.some(({ answer }) => {
        const text =
          typeof answer?.body === 'string' ? answer.body : printJson(parseJson(JSON.stringify(answer?.body ?? null)))
        const headers: [string, string][] = answer?.contentType ? [['content-type', answer.contentType]] : []
        const [evidence] = filed(row, [answered(null, { status: answer?.status ?? 0, headers, text })])
        const found = evidence && answerOf(evidence)
        const isMet = (checks: Check[]): boolean =>
          found !== undefined &&
          checks.flatMap((check) => evaluateCheck(check, found, new Map())).every(({ met }) => met)
        return alternatives.some(({ checks }) => isMet(checks))
      })
      t.ok(fits, `${name}: ${id}`)
    }
  }
  t.end()
})

t.test('by every profile, a row fails if the target rejects a request that it must accept', (t) => {
  for (const profile of wholeSuite.profiles.values()) {
    const rows = resolvedSuite(profile.name, 35).rows.filter(({ steps }) => steps.length === 1 && !steps[0]?.race)
    const accepting = rows.filter(({ steps: [act] }) =>
      act?.expectations.some(({ situation, kind }) => kind === 'outcome' && situation === 'accepted'),
    )
    t.ok(accepting.length > 100, profile.name)
    const passing = accepting.filter((row) =>
      [400, 500].some((status) => {
        const evidence = filed(row, [answered({}, { status, step: row.steps[0]?.name ?? '' })])
        return judgeRow(row, { evidence, variables: new Map() }).verdict !== 'fail'
      }),
    )
    t.strictSame(
      passing.map(({ id }) => id),
      [],
      profile.name,
    )
  }
  t.end()
})

t.test('resolving with a filter gives exactly the rows that the filter selects', (t) => {
  for (const [offset, profile] of [...wholeSuite.profiles.values()].entries()) {
    const { rows } = resolvedSuite(profile.name, 35)
    // Each profile takes other rules: all rules take ten seconds.
    const rules = [...new Set(rows.flatMap(rulesOfRow))].filter((_, index) => index % 64 === offset)
    const selected = (pattern: string): string[] => selectRows(rows, { only: pattern }).map(({ id }) => id)
    for (const pattern of ['contract-by-id', 'VET-D*', 'E*/*t', ...rules]) {
      const few = resolveSuite(wholeSuite, profile, 35, matcherOf(pattern)).rows
      const found = selectRows(few, { only: pattern }).map(({ id }) => id)
      t.strictSame(found, selected(pattern), `${pattern} by ${profile.name}`)
      const other = rows.find(({ id }) => id === few[0]?.id)
      t.strictSame(few[0], other, 'the row is the same')
    }
  }
  t.end()
})

t.test('a run reads the protocol version from the target, unless it is given', async (t) => {
  const profile = profileNamed('canton-3.5')
  const folder = t.testdir()
  const versionOf = async (protocolVersion: 34 | 35, authorization: string, given?: number): Promise<unknown> => {
    const simulator = await startSimulator({ protocolVersion, authorization })
    const recordFile = join(folder, `${protocolVersion}-${given}.ndjson`)
    try {
      const options = {
        suite: wholeSuite,
        profile,
        target: readTarget(simulator.url, authorization),
        access: defaultAccess,
        embedded: true,
        recordFile,
      }
      const limits = { only: 'CBI-WITNESSES*', tool: { name: 'test', version: '0' }, concurrency: 4, timeLimit: 30_000 }
      const all = { ...options, ...limits, ...(given !== undefined && { protocolVersion: given }) }
      await run(all, { planned: () => undefined, row: () => undefined })
    } finally {
      await simulator.close()
    }
    const { header } = await readRecord(recordFile)
    return [header.target.protocolVersion, header.profile.divergences.some(({ id }) => id === 'DEPENDENCIES-UNCHECKED')]
  }
  t.strictSame(await versionOf(34, 'none'), [34, false])
  t.strictSame(await versionOf(35, 'hs256:secret'), [35, true])
  t.strictSame(await versionOf(35, 'none', 34), [34, false], 'as given')
})
