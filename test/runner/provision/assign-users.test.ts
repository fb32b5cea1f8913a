// biome-ignore-all lint/suspicious/noTemplateCurlyInString: suites write variables in this form
import t from 'tap'
import type { JsonValue } from '../../../lib/json/json.js'
import type { Data, ResolvedRow, ResolvedStep } from '../../../record/types/resolved-row.js'
import { type Availability, applyAvailability } from '../../../runner/plan/availability.js'
import { type Assignment, assignUsers, findDefaultUser } from '../../../runner/provision/assign-users.js'
import type { ResolvedFixture } from '../../../runner/suite/resolved-suite.js'
import type { ResolvedActor } from '../../../runner/suite/suite.js'
import type { ActorUsers } from '../../../runner/target/actor-users.js'
import { defaultTokenForm, secretKey } from '../../../runner/target/credentials/minting-key.js'
import { type KnownCaller, TargetError, TargetRejection } from '../../../runner/target/target.js'
import { inWords } from '../../support/words/in-words.js'

const source = { file: 'x', line: 1 }
const actors: ResolvedActor[] = [
  { name: 'operator', rights: ['ParticipantAdmin', 'CanReadAsAnyParty', 'CanActAs alice', 'CanActAs bob'] },
  { name: 'alice', rights: ['CanActAs alice'] },
  { name: 'loner', rights: ['CanActAs alice'], apart: true },
]
const fixtures: ResolvedFixture[] = ['alice', 'bob'].map((name) => ({
  name,
  party: { hint: name },
  values: {},
  steps: [],
  fixtures: [],
  source,
}))
const given = { kind: 'given' } as const
const minted = { kind: 'minted', key: secretKey('s'.repeat(20)) } as const

interface Setting extends Partial<Omit<Assignment, 'target'>> {
  authorization?: Assignment['target']['authorization']
  callers?: Record<string, KnownCaller>
  /** By user: the answer of list-user-rights; other users do not exist. */
  rights?: Record<string, JsonValue | TargetError>
}

const named = { alice: 'alice::1220', bob: 'bob::1220' }

function assign({ authorization = given, callers = {}, rights = {}, ...more }: Setting): Promise<ActorUsers> {
  const target = { authorization, callers: new Map(Object.entries(callers)), administrator: 'admin' }
  const assignment: Assignment = {
    target,
    actors,
    fixtures,
    run: 'r',
    unreachable: new Set(),
    parties: new Map(),
    writes: true,
    ...more,
  }
  return assignUsers(assignment, findDefaultUser(target), (user) => async (name, _, params) => {
    t.strictSame([name, params], ['list-user-rights', { user }], 'each user lists its own rights')
    const answer = rights[user] ?? new TargetRejection(404, 'no such user')
    if (answer instanceof TargetError) throw answer
    return { rights: answer }
  })
}

const right = (kind: string, party?: string): JsonValue => ({ kind: { [kind]: { value: party ? { party } : {} } } })

const step = (actor: string, more: Partial<ResolvedStep> = {}): ResolvedStep => ({
  name: 's',
  role: 'act',
  operation: 'submit-and-wait',
  actor,
  capture: {},
  expectations: [],
  source,
  request: { method: 'POST', path: '/', headers: {}, body: { json: {} } },
  ...more,
})

const row = (steps: ResolvedStep[], more: Partial<ResolvedRow> = {}): ResolvedRow => ({
  id: 'A/b',
  case: 'A',
  row: 'b',
  title: '',
  operation: 'submit-and-wait',
  source,
  impact: 'write',
  needs: [],
  alone: false,
  fixtures: ['alice'],
  values: {},
  steps,
  ...more,
})

/** Undefined: the row runs. */
function reason(one: ActorUsers, planned: ResolvedRow, more: Partial<Availability> = {}): string | undefined {
  const availability: Availability = {
    actorUsers: one,
    unreachable: new Set(),
    parties: new Set(['alice', 'bob']),
    unknownVariables: new Map(),
    actors: new Map(actors.map((actor) => [actor.name, actor])),
    ...more,
  }
  const known = new Map(fixtures.map((fixture) => [fixture.name, fixture]))
  return inWords(applyAvailability({ row: planned }, known, availability).reason) || undefined
}

t.test('with a key, creates users for actors without a caller', async (t) => {
  const callers = { alice: { user: 'al' }, administrator: { user: 'root' } }
  const { byActor, provisioner, canForge } = await assign({ authorization: minted, callers })
  t.strictSame(provisioner, { user: 'root' })
  t.equal(canForge, true)
  t.match(byActor.get('operator'), { user: 'conformance-r-operator', isCreated: true, grants: [] })
  t.match(byActor.get('alice'), { user: 'al', isCreated: false, grants: ['CanActAs alice'] })
  t.notOk(byActor.get('alice')?.rights, 'unknown rights count as those of its actor')
  const without = await assign({ authorization: minted, unreachable: new Set(['create-user']) })
  t.equal(without.byActor.size, 0)
})

t.test('without a key, assigns the given callers by their rights', async (t) => {
  const parties = new Map(Object.entries(named))
  const rights = [right('CanActAs', named.alice), right('CanActAs', 'other::1220')]
  const ordinary = await assign({ callers: { anyone: { user: 'app' } }, rights: { app: rights }, parties })
  t.strictSame(ordinary.provisioner, { code: 'no-administrator' })
  t.strictSame([...(ordinary.byActor.get('operator')?.rights ?? [])], ['CanActAs alice'])
  const boss = await assign({ callers: { anyone: { user: 'app' } }, rights: { app: [right('ParticipantAdmin')] } })
  t.strictSame(boss.provisioner, { user: 'app' }, 'an administrator by its rights')
  t.match(boss.byActor.get('operator')?.grants, ['CanActAs alice', 'CanActAs bob'])
  t.strictSame([...(boss.byActor.get('alice')?.rights ?? [])], ['ParticipantAdmin', 'CanActAs alice', 'CanActAs bob'])
  const unknown = await assign({ callers: { administrator: { user: 'root' } } })
  t.ok(unknown.byActor.get('operator')?.rights?.has('ParticipantAdmin'), 'by its actor')
  const declared = await assign({ callers: { anyone: { user: 'app', rights: ['CanActAs alice'] } }, parties })
  t.strictSame([...(declared.byActor.get('loner')?.rights ?? [])], ['CanActAs alice'])
  await t.rejects(
    assign({ callers: { anyone: { user: 'app' } }, rights: { app: new TargetRejection(401, 'not known') } }),
    { message: 'not known' },
    'a rejected token would fail every row',
  )
})

t.test('the default user is the administrator, or else any caller', (t) => {
  const find = (callers: Record<string, KnownCaller>, authorization: Assignment['target']['authorization'] = given) =>
    findDefaultUser({ authorization, callers: new Map(Object.entries(callers)), administrator: 'admin' })
  t.equal(find({ alice: { user: 'al' }, administrator: { user: 'root' } }), 'root')
  t.equal(find({ alice: { user: 'al' }, anyone: { user: 'app' } }), 'app')
  t.equal(find({ alice: { user: 'al' } }), 'al')
  t.equal(find({ alice: { user: 'al' } }, minted), 'admin')
  t.throws(() => find({}), /^the target requires tokens, and the settings give no credential/)
  t.end()
})

t.test('a row runs if its users have the required rights, and no others where they matter', async (t) => {
  const parties = new Map(Object.entries(named))
  const app = [right('CanActAs', named.alice)]
  const one = await assign({ callers: { anyone: { user: 'app' } }, rights: { app }, parties })
  const by = (actor: string, more: Partial<ResolvedStep> = {}, other: Partial<ResolvedRow> = {}): string | undefined =>
    reason(one, row([step(actor, more)], other))
  t.equal(by('operator'), undefined)
  t.match(by('operator', {}, { fixtures: ['alice', 'bob'] }), /as operator: the user app lacks CanActAs bob$/)
  t.match(by('operator', { operation: 'update-package-vetting' }), /lacks ParticipantAdmin$/)
  const reading = (json: Data) =>
    by('operator', { operation: 'contract-by-id', request: { method: '', path: '', headers: {}, body: { json } } })
  t.equal(reading({ queryingParties: ['${alice}'] }), undefined)
  for (const wrong of [['a!b'], [], [7], 'x', ['${alice}', '${other}']])
    t.match(reading({ queryingParties: wrong }), /lacks CanReadAsAnyParty$/, JSON.stringify(wrong))
  t.match(by('loner'), /but this actor needs its own user$/)
  const rights = { needs: ['authorization'] }
  t.equal(by('alice', {}, rights), undefined, 'app has exactly the rights of alice')
  const more = await assign({
    callers: { anyone: { user: 'app' } },
    rights: { app: [...app, right('CanReadAsAnyParty')] },
    parties,
  })
  const asAlice = row([step('alice')], rights)
  t.match(reason(more, asAlice), /also has CanReadAsAnyParty, and the row tests the rights of alice$/)
  t.equal(reason(more, row([step('alice')])), undefined, 'further rights matter only for rows about rights')
  t.match(
    reason(one, row([step('alice')], { values: { who: '${user.operator}' } })),
    /also serves operator, and the row distinguishes the two actors$/,
  )
})

t.test('a reason names the missing credential, operation or variable', async (t) => {
  const one = await assign({ callers: { alice: { user: 'al' } }, rights: { al: [] } })
  t.match(
    reason(one, row([step('operator')])),
    /no available user can act as operator: the settings have no credential for it$/,
  )
  t.match(
    reason(one, row([step('alice')]), { parties: new Set() }),
    /^the party alice cannot be created: the run has no administrator credential$/,
  )
  const expired = { name: 'expired', meaning: '', claims: { exp: 1 } }
  const tokens = row([step('alice', { token: expired })], { fixtures: [] })
  t.match(reason(one, tokens), /^the token expired cannot be created: the run has no signing key$/)
  const header = row([step('alice', { token: { name: 'basic', meaning: '', header: 'Basic x' } })], { fixtures: [] })
  t.equal(reason(one, header), undefined)
  const unreachable = new Set(['ledger-end'])
  const probed = row([step('alice', { operation: 'ledger-end' })], { fixtures: [] })
  t.match(reason(one, probed, { unreachable }), /^the settings mark ledger-end as unreachable$/)
  const unknownVariables = new Map([['synchronizerId', 'x']])
  const naming = row([step('alice', { request: { method: '', path: '${synchronizerId}', headers: {} } })], {
    fixtures: [],
  })
  t.equal(reason(one, naming, { unknownVariables }), 'the value of synchronizerId is unknown: add x to a target file')
  const own = { kind: 'minted', key: secretKey('s'.repeat(20), { ...defaultTokenForm, audience: 'mine' }) } as const
  const foreign = row([step('alice', { token: { name: 'foreign', meaning: '', claims: { aud: 'y' } } })], {
    fixtures: [],
  })
  t.match(
    reason(await assign({ authorization: own }), foreign),
    /^the token foreign needs a wrong audience, but the settings define the audience$/,
  )
})
