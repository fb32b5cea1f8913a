/** Settings supply parties and a contract, so that the rows of one operation run without any other operation. */
import { join } from 'node:path'
import t from 'tap'
import { compareRun } from '../../certificate/verify/compare-run.js'
import { conformanceModel } from '../../cli/tool/conformance-model.js'
import { operations, supportOperations } from '../../interface/operations.js'
import { provisionEnvironment } from '../../lab/environment.js'
import { readRecord } from '../../record/file/read-record.js'
import type { RunRecord } from '../../record/types/record.js'
import { deriveRun } from '../../runner/derive/derive-run.js'
import { planSupport } from '../../runner/plan/support-steps.js'
import { defaultAccess } from '../../runner/target/target-file.js'
import { startSimulator } from '../../simulator/simulator.js'
import { type CalledCommand, callRun } from '../support/processes/called-command.js'
import { derivedFrom } from '../support/records/derived-from.js'
import { recordingGateway, type SeenRequest } from '../support/servers/gateways.js'
import { readTarget } from '../support/suites/plain-target.js'
import { profileNamed, resolvedSuite, suiteFolder, wholeSuite } from '../support/suites/whole-suite.js'
import { inWords } from '../support/words/in-words.js'

const simulator = await startSimulator()
t.teardown(() => simulator.close())

async function send(path: string, body: object): Promise<Record<string, never>> {
  const answer = await fetch(simulator.url + path, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Record<string, never>
}

const allocate = async (partyIdHint: string): Promise<string> => {
  const { partyDetails } = await send('/v2/parties', { partyIdHint, identityProviderId: '' })
  return String(partyDetails?.['party'])
}

const [alice, bob, carol] = [await allocate('alice'), await allocate('bob'), await allocate('carol')]
const templateId = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'
const createArgument = { id: 'one', initiator: alice, responder: bob }
const { updateId } = await send(operations['submit-and-wait'].path, {
  commands: [{ CreateCommand: { templateId, createArguments: createArgument } }],
  commandId: 'one',
  actAs: [alice],
  userId: 'participant_admin',
})
const filter = { filtersByParty: { [alice]: { cumulative: [] } }, verbose: false }
const shape = { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA', eventFormat: filter }
const text = JSON.stringify(
  await send('/v2/updates/update-by-id', { updateId, updateFormat: { includeTransactions: shape } }),
)
const found = (member: string): string => new RegExp(`"${member}":"([^"]+)"`).exec(text)?.[1] ?? ''
const contractId = found('contractId')
const ping = {
  contractId,
  createArgument,
  createdAt: found('createdAt'),
  packageId: found('representativePackageId'),
}
const parties = { alice, bob, carol }

const known = new Set(Object.values({ ...operations, ...supportOperations }).map(({ path }) => path))

type Test = Parameters<typeof callRun>[0]

interface Ran extends CalledCommand {
  record: RunRecord
  seen: SeenRequest[]
}

async function runAlone(t: Test, settings: object, flags: object = {}): Promise<Ran> {
  const isAbsent = ({ path }: SeenRequest): boolean => path !== operations['contract-by-id'].path && known.has(path)
  const { url, seen } = await recordingGateway(t, simulator.url, isAbsent, 404, '')
  const out = t.testdir({ 'target.json': JSON.stringify({ target: url, ...settings }) })
  const config = join(out, 'target.json')
  const called = await callRun(t, { config, out, operations: ['contract-by-id'], ...flags })
  return { ...called, record: await readRecord(join(out, 'latest', 'run.ndjson.br')), seen }
}

const verdictsOf = ({ rows }: RunRecord): string[] => [...new Set(rows.map(({ verdict }) => verdict))].sort()

/** Rows that need the contract, other values of it, or a second contract. */
const only = ['CBI-CONTENT/*', 'CBI-VISIBILITY/*', 'CBI-OWN-CONTRACT/*']

t.test('without settings, one message for each missing operation names what replaces it', async (t) => {
  const { code, record, stderr } = await runAlone(t, {})
  t.equal(code, 5, stderr)
  t.strictSame(verdictsOf(record), ['blocked', 'not-applicable'])
  const messages = stderr.split('\n').filter((line) => line.startsWith('! '))
  const paths = messages.map(
    (line) =>
      /^! \d+ selected rows? needs? \S+: \w+ (\S+) is not implemented \(404 without the member code\)\./.exec(
        line,
      )?.[1],
  )
  t.equal(new Set(paths).size, messages.length, 'one message for each operation')
  const about = (path: string): string => messages.find((line) => line.includes(path)) ?? ''
  t.match(about('/v2/parties'), /Name existing parties: --party alice=ID bob=ID carol=ID\.$/)
  t.match(about('/v2/commands/submit-and-wait'), /State these fixtures under given in a target file: ping, /)
  t.match(about('/v2/updates/update-by-id'), /State these fixtures under given in a target file: ping, /)
  t.notMatch(stderr + JSON.stringify(record.rows.map(({ reason }) => reason)), 'executeAndWait')
})

t.test(
  'with parties and a contract, every row that needs nothing else passes, and verify derives the other reasons',
  async (t) => {
    const { record, seen, stdout } = await runAlone(t, { parties, given: { ping } }, { only })
    const needsPingAlone = record.rows.filter(({ id }) => /^CBI-(?:CONTENT|VISIBILITY)/.test(id))
    t.strictSame(
      record.rows.filter(({ verdict, evidence }) => verdict === 'pass' && evidence.length > 0).map(({ id }) => id),
      needsPingAlone.map(({ id }) => id),
    )
    t.strictSame(verdictsOf(record), ['blocked', 'pass'])
    t.equal(
      seen.filter((request) => request.path === operations['submit-and-wait'].path).length,
      1,
      'only the presence check',
    )
    t.strictSame(record.header.target.file?.given, ['ping'])
    t.match(stdout, 'The settings state the values of ping.')
    t.match(record.header.variables, { 'ping.contractId': JSON.stringify(contractId) })
    const derived = await deriveRun(record, await derivedFrom(suiteFolder, record))
    if (!derived) throw new Error('no settings')
    const kinds = compareRun(record, derived, true).map(({ kind }) => kind)
    t.strictSame(kinds, ['unproven'], 'blocked rows have no evidence')
  },
)

t.test('the option --contract states a contract; rows that need its other values do not run', async (t) => {
  const { record } = await runAlone(t, { parties }, { only: 'CBI-CONTENT/*', contract: [`ping=${contractId}`] })
  t.strictSame(verdictsOf(record), ['not-applicable', 'pass'])
  const reasons = new Set(record.rows.flatMap(({ reason }) => /^the value of .*/.exec(inWords(reason)) ?? []))
  t.strictSame([...reasons].sort(), [
    'the value of ping.createArgument is unknown: add given: ping: createArgument to a target file',
    'the value of ping.createdAt is unknown: add given: ping: createdAt to a target file',
    'the value of ping.packageId is unknown: add given: ping: packageId to a target file',
  ])
})

t.test('a wrong value fails the row that compares it', async (t) => {
  const wrong = { ...ping, createdAt: '2000-01-01T00:00:00Z' }
  const { code, record } = await runAlone(t, { parties, given: { ping: wrong } }, { only: 'CBI-CONTENT/*' })
  t.equal(code, 1)
  t.strictSame(
    record.rows.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
    ['CBI-CONTENT/created-at'],
  )
})

t.test('an unknown fixture or member is an error before the run', async (t) => {
  const problem = async (given: object): Promise<string> => {
    const out = t.testdir({ 'target.json': JSON.stringify({ target: simulator.url, parties, given }) })
    const { code, stderr } = await callRun(t, { config: join(out, 'target.json'), out })
    t.equal(code, 2)
    return stderr
  }
  t.match(await problem({ pong: ping }), 'given: the suite creates no pong; did you mean "ping"?')
  t.match(await problem({ 'accepted-lookup': ping }), 'given: the suite creates no accepted-lookup')
  t.match(
    await problem({ ping: { contractid: contractId } }),
    'given: ping has no member contractid; did you mean "contractId"?',
  )
})

t.test('with every contract from settings, exactly the rows run that list support counts', async (t) => {
  const { provisioned } = await provisionEnvironment({
    suite: wholeSuite,
    profile: profileNamed('canton-3.5'),
    operations: ['contract-by-id'],
    target: readTarget(simulator.url, 'none'),
    access: defaultAccess,
    embedded: true,
    model: conformanceModel,
    allow: new Set(['read', 'write', 'topology', 'upload']),
    tool: { name: 'test', version: '0' },
    recordFile: join(t.testdir(), 'run.ndjson'),
    concurrency: 8,
    timeLimit: 30_000,
  })
  const { variables } = provisioned.fixtures
  const given: Record<string, Record<string, unknown>> = {}
  for (const [name, value] of variables) {
    const [fixture = '', member] = name.split('.')
    if (member !== undefined && fixture !== 'user') given[fixture] = { ...given[fixture], [member]: value }
  }
  const own = { alice: variables.get('alice'), bob: variables.get('bob'), carol: variables.get('carol') }
  const { record } = await runAlone(t, { profile: 'canton-3.5', parties: own, given, 'protocol-version': 35 })
  const sent = record.rows.filter(({ evidence }) => evidence.length > 0)
  t.strictSame([...new Set(sent.map(({ verdict }) => verdict))], ['pass'])
  const plan = planSupport(resolvedSuite('canton-3.5'), { operations: ['contract-by-id'], isGiven: true })
  t.equal(sent.length, plan.steps[0]?.total)
})
