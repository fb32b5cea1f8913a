/** The cases of the two execute operations are judged by breaking the simulator: each thing that it no longer checks must be noticed. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { conformanceModel } from '../cli/conformance-model.js'
import type { Permission } from '../record/effects.js'
import type { RunRow } from '../record/record.js'
import { loadSuite } from '../runner/load/load-suite.js'
import { alternativesOf } from '../runner/plan/outcomes.js'
import { rulesOfRow } from '../runner/plan/select.js'
import { resolveSuite } from '../runner/resolve/resolve-suite.js'
import { run } from '../runner/run.js'
import type { RunOptions } from '../runner/run-options.js'
import type { Probe, Step, Suite } from '../runner/suite/suite.js'
import { enforcedRules } from '../simulator/base/checks.js'
import { type SimulatorOptions, startSimulator } from '../simulator/simulator.js'
import { forgivingProxy } from './forgiving-proxy.js'
import { readTarget } from './plain-target.js'

const whole = impatient(await loadSuite(fileURLToPath(new URL('../../suites/', import.meta.url))))

/** Nobody waits long for a completion that a broken simulator does not have. */
function impatient(suite: Suite): Suite {
  const hurry = (step: Step): Step => (step.eventually === undefined ? step : { ...step, eventually: 1 })
  const probes = [...suite.probes].map(([name, probe]): [string, Probe] => [
    name,
    { ...probe, afterAcceptance: probe.afterAcceptance.map(hurry) },
  ])
  return { ...suite, probes: new Map(probes) }
}

const both = (names: readonly string[]): string[] => names.flatMap((name) => [`EXE-${name}`, `EWT-${name}`])

const suiteWith = (ids: readonly string[]): Suite => ({
  ...whole,
  cases: whole.cases.filter(({ id }) => ids.includes(id)),
})

interface Setting {
  simulator?: SimulatorOptions
  suite: Suite
  profile?: string
  authorization?: string
  model?: RunOptions['model']
  allow?: RunOptions['allow']
  /** What stands before the simulator, instead of nothing. */
  before?: (url: string) => Promise<string>
}

async function rowsOf(t: Test, { simulator: options = {}, suite, authorization = 'none', ...given }: Setting) {
  const simulator = await startSimulator({ ...options, ...(authorization !== 'none' && { authorization }) })
  t.teardown(() => simulator.close())
  const profile = suite.profiles.get(given.profile ?? 'canton-3.5')
  if (!profile) throw new Error('the suite has no such profile')
  const url = given.before ? await given.before(simulator.url) : simulator.url
  const rows: RunRow[] = []
  const target = readTarget(url, authorization)
  const recordFile = join(t.testdir({}), 'run.ndjson')
  const tool = { name: 'test', version: '0' }
  await run(
    {
      ...{ suite, profile, target, embedded: true, recordFile, tool, concurrency: 8, timeLimit: 30_000 },
      ...(given.model && { model: given.model }),
      ...(given.allow && { allow: given.allow }),
    },
    { planned: () => undefined, row: (row) => void rows.push(row) },
  )
  return rows
}

const secret = 'hs256:one-secret-of-many-characters'

/** Where the checks show that cases of their own do not show best: which cases stand against leaving one out, and on which participant. */
const shownBy: Readonly<Record<string, readonly Shown[]>> = {
  'EXE-SIGNATURES-AUTHORIZE': [{ cases: ['SIGNED', 'NOBODY-SIGNS', 'TWO-ACT'] }],
  'EXE-SIGNATURE-KEY': [{ cases: ['SIGNED', 'SIGNED-BY', 'LOCAL-PARTY', 'THRESHOLD'] }],
  'EXE-SIGNATURE-VALID': [
    { cases: ['SIGNED', 'BROKEN-SIGNATURE', 'OTHER-MESSAGE', 'ALTERED', 'SCHEME-MATCHES'] },
    { cases: ['RECORDED-V2', 'RECORDED-V3', 'RECORDED-SIGNATURE'] },
  ],
  'EXE-SIGNATURE-FORM': [{ cases: ['SIGNED', 'FORMAT', 'ALGORITHM'] }],
  'EXE-SIGNATURE-THRESHOLD': [{ cases: ['SIGNED', 'THRESHOLD'] }],
  'EXE-SIGNATURES-LIMIT': [{ cases: ['THRESHOLD', 'MORE-SIGN'] }],
  'EXE-SIGNATURE-NAMES': [{ cases: ['SIGNED-BY', 'NOBODY-SIGNS', 'FORMAT', 'ALGORITHM'] }],
  'EXE-PREPARED-VALID': [{ cases: ['NOT-PREPARED', 'ALTERED-EXERCISE'] }],
  'EXE-HASHING-SCHEME-UNSPECIFIED': [{ cases: ['SCHEME-MATCHES', 'SCHEME-NAMES'] }],
  'EXE-HASHING-SCHEME-V3': [{ cases: ['SCHEME-MATCHES'], simulator: { protocolVersion: 34 } }],
  'EXE-SUBMISSION-ID-LEDGER-STRING': [{ cases: ['SUBMISSION-ID', 'USER-ID'] }],
  'EXE-USER-ID-MEANING': [{ cases: ['SUBMISSION-ID', 'USER-ID'] }],
  'EXE-DEDUPLICATION-VALID': [{ cases: ['DEDUPLICATION'] }],
  'EXE-CHANGE-ID': [{ cases: ['REPLAY', 'SAME-COMMAND', 'OTHER-USER', 'ID-USED-BEFORE'] }],
  'AUTH-ACT-AS': [{ cases: ['RIGHTS'], authorization: secret }],
}

type Shown = Omit<Setting, 'suite'> & { cases: readonly string[] }

const profile = whole.profiles.get('canton-3.5')
if (!profile) throw new Error('the suite has no profile canton-3.5')
const resolved = resolveSuite(whole, profile).rows

const rowsNaming = (rule: string) => resolved.filter((row) => rulesOfRow(row).includes(rule))

/** The cases that name the rule, without the operation in their names. */
const citing = (rule: string): Shown => ({
  cases: [...new Set(rowsNaming(rule).flatMap((row) => /^(?:EXE|EWT)-(.+)$/.exec(row.case)?.[1] ?? []))],
})

/** What a participant may refuse, and the reference does not: whether it does is seen, and breaks nothing. */
const isFreedom = (rule: string): boolean =>
  rowsNaming(rule).every(({ steps }) =>
    alternativesOf(steps.find(({ role }) => role === 'act')).every(({ outcome }) => outcome === 'accepted'),
  )

/** Every check of the simulator for rules of the execute operations: one that is added is broken here as well. */
const checks = enforcedRules().filter((rule) => rule.startsWith('EXE-') || rule.startsWith('AUTH-'))
const obligations = checks
  .filter((rule) => !isFreedom(rule))
  .flatMap((rule) => (shownBy[rule] ?? [citing(rule)]).map((shown) => ({ rule, ...shown })))

for (const { rule, cases, simulator = {}, ...given } of obligations) {
  t.test(`leaving out the check of ${rule} is noticed by rows that name it, and by no others`, async (t) => {
    const rows = await rowsOf(t, {
      ...given,
      suite: suiteWith(both(cases)),
      simulator: { ...simulator, without: [rule] },
    })
    const noticed = rows.filter(({ verdict }) => verdict !== 'pass')
    t.ok(noticed.length > 0, 'noticed')
    // What a participant only may refuse makes a row not-applicable when it does not; and without a check that the
    // text does not know a participant follows the text.
    const diverging = profile.divergences.some((divergence) => divergence.rule === rule)
    const strengths =
      whole.rules.get(rule)?.strength === 'may'
        ? ['not-applicable']
        : diverging
          ? ['fail', 'follows-the-text']
          : ['fail']
    t.ok(
      noticed.some(({ verdict, resolved }) => strengths.includes(verdict) && rulesOfRow(resolved).includes(rule)),
      strengths.join(' or '),
    )
    const strangers = noticed.filter(({ resolved }) => !rulesOfRow(resolved).includes(rule))
    t.strictSame(
      strangers.map(({ id, reason }) => `${id}: ${reason}`),
      [],
    )
  })
}

for (const rule of checks.filter(isFreedom)) {
  t.test(`whether a participant makes use of ${rule} is told, and is right either way`, async (t) => {
    const told = async (without: string[]): Promise<string[]> => {
      const simulator = { behaviour: 'interface', without } as const
      const suite = suiteWith(both(citing(rule).cases))
      const rows = await rowsOf(t, { simulator, suite, profile: 'interface' })
      const named = rows.filter((row) => rulesOfRow(row.resolved).includes(rule))
      t.ok(named.length > 0 && named.every(({ verdict }) => verdict === 'pass'), rule)
      return named.flatMap(({ judgements }) =>
        judgements.flatMap(({ role, situation }) => (role === 'act' && situation) || []),
      )
    }
    t.ok((await told([])).every((situation) => situation.endsWith('(refused)')))
    t.ok((await told([rule])).every((situation) => situation.endsWith('(accepted)')))
  })
}

const create = 'transaction.nodes.0.v1.create'

/** Fields that are signed, each with the rows that alter it alone. */
const covered: Readonly<Record<string, string[]>> = {
  'metadata.submitter_info.command_id': ['command-id'],
  'metadata.submitter_info.act_as': [
    'acting-party-added',
    'acting-party-replaced',
    'acting-party-replaced-and-signed-by-both',
  ],
  'metadata.mediator_group': ['mediator'],
  'metadata.transaction_uuid': ['transaction-uuid'],
  'metadata.preparation_time': ['preparation-time'],
  'metadata.min_ledger_effective_time': ['lower-bound-of-ledger-time'],
  'metadata.max_ledger_effective_time': ['upper-bound-of-ledger-time'],
  [`${create}.argument.record.fields.0.value.text`]: ['argument'],
  [`${create}.argument.record.fields.2.value.party`]: ['party-in-argument'],
  [`${create}.contract_id`]: ['contract-id'],
  [`${create}.stakeholders`]: ['stakeholder-added'],
  [`${create}.signatories`]: ['signatory-replaced'],
  'transaction.node_seeds.0.seed': ['seed'],
  'transaction.version': ['version'],
}

t.test('a field that the hash does not cover is noticed by the row that alters it, and by no other', async (t) => {
  const suite = suiteWith(['EWT-ALTERED'])
  for (const [field, expected] of Object.entries(covered)) {
    const rows = await rowsOf(t, { suite, before: (url) => forgivingProxy(t, url, field) })
    const failed = rows.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id)
    const wanted = expected.map((row) => `EWT-ALTERED/${row}`)
    t.strictSame(failed.toSorted(), wanted.toSorted(), field)
  }
})

t.test('every row that alters one field is tried like that', (t) => {
  const rows = suiteWith(both(['ALTERED'])).cases.flatMap((one) => one.rows.map(({ id }) => id))
  t.strictSame(new Set(rows), new Set(Object.values(covered).flat()))
  t.end()
})

t.test('rows that need the model packages run where the target holds them', async (t) => {
  const suite = suiteWith(['EWT-INTERFACE-VIEW', 'EWT-CONTRACT-KEY', 'EWT-ANSWER'])
  const some: Permission[] = ['read', 'write', 'topology']
  const verdicts = async (protocolVersion: 34 | 35, mayUpload: boolean) => {
    const simulator = { protocolVersion }
    const rows = await rowsOf(t, {
      suite,
      simulator,
      model: conformanceModel,
      allow: new Set<Permission>(mayUpload ? [...some, 'upload'] : some),
    })
    const needing = rows.filter(({ resolved }) => resolved.case !== 'EWT-ANSWER')
    return Object.fromEntries(needing.map(({ resolved, verdict }) => [resolved.case, verdict]))
  }
  const all = { 'EWT-INTERFACE-VIEW': 'pass', 'EWT-CONTRACT-KEY': 'pass' }
  t.strictSame(await verdicts(35, true), all)
  t.strictSame(await verdicts(34, true), { ...all, 'EWT-CONTRACT-KEY': 'not-applicable' })
  t.strictSame(await verdicts(35, false), {
    'EWT-INTERFACE-VIEW': 'not-applicable',
    'EWT-CONTRACT-KEY': 'not-applicable',
  })
})
