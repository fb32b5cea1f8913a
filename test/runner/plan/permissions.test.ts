// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import t from 'tap'
import { allowWords, type Permission } from '../../../record/types/effects.js'
import type { Data } from '../../../record/types/resolved-row.js'
import type { Availability } from '../../../runner/plan/availability.js'
import { planRun } from '../../../runner/plan/plan.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import type { ActorUser, ActorUsers } from '../../../runner/target/actor-users.js'
import { defaultPermissions, isDryRun } from '../../../runner/target/permissions.js'
import {
  accepted,
  caseOf,
  fixtureOf,
  profileOf,
  requestOf,
  rowOf,
  situation,
  stepOf,
  suiteOf,
} from '../../support/suites/small-suite.js'
import { inWords } from '../../support/words/in-words.js'

t.test(
  'default permissions include topology on loopback addresses, and upload on the embedded simulator',
  async (t) => {
    const usual = (url: string, embedded = false) => [...defaultPermissions(url, embedded)]
    for (const url of ['http://127.0.0.1:1', 'http://localhost:1', 'https://[::1]/x', 'http://127.3.2.1'])
      t.strictSame(usual(url), ['read', 'write', 'topology'], url)
    for (const url of ['http://participant.example', 'http://10.0.0.1', 'http://localhost.example', 'http://[::2]'])
      t.strictSame(usual(url), ['read', 'write'], url)
    t.strictSame(usual('http://127.0.0.1:1', true), ['read', 'write', 'topology', 'upload'])
    t.equal(
      allowWords(['read', 'write'], ['upload', 'topology']),
      '--allow write topology upload',
      'including the required ones',
    )
  },
)

t.test('only a body that states a dry run, and no edit that can change it, is a dry run', async (t) => {
  const of = (json: Data, ...pointers: string[]): boolean => {
    const edits = pointers.map((at) => ({ at, set: false }))
    return isDryRun({ method: 'POST', path: '/v2/package-vetting/update', headers: {}, body: { json, edits } })
  }
  t.ok(of({ dryRun: true }))
  t.ok(of({ dryRun: true }, '/changes/0'))
  t.notOk(of({ dryRun: false }))
  t.notOk(of({ dryRun: false }, '/changes/0'))
  t.notOk(of({ dryRun: 'true' }))
  t.notOk(of({}))
  t.notOk(of([]))
  for (const pointer of ['', '/dryRun']) t.notOk(of({ dryRun: true }, pointer), `changed at ${pointer}`)
})

const body = (dryRun: boolean) => ({ body: { changes: [], dryRun } })
const suite = suiteOf({
  requests: new Map(
    [
      requestOf('lookup', 'contract-by-id', { body: { party: '${alice}' } }),
      requestOf('ask', 'ledger-end'),
      requestOf('submit', 'submit-and-wait', { body: {} }),
      requestOf('prepare', 'prepare', { body: {} }),
      requestOf('dry', 'update-package-vetting', body(true)),
      requestOf('vet', 'update-package-vetting', body(false)),
    ].map((one) => [one.name, one]),
  ),
  fixtures: new Map(
    [
      fixtureOf('alice', [], { party: { hint: 'alice' } }),
      fixtureOf('ping', [stepOf({ request: 'submit', ...accepted })]),
      fixtureOf('listed', [stepOf(accepted)]),
    ].map((one) => [one.name, one]),
  ),
  cases: [
    caseOf('ROW', [
      rowOf('asks', [stepOf(accepted)]),
      rowOf('uses-what-is-listed', [stepOf({ request: 'prepare', edit: { '/a': '${listed.id}' }, ...accepted })]),
      rowOf('asks-as-another', [stepOf({ as: 'bob', ...accepted })]),
      rowOf('prepares', [stepOf({ request: 'prepare', ...accepted })]),
      rowOf('only-tries', [stepOf({ request: 'dry', ...accepted })]),
      rowOf('says-it-otherwise', [stepOf({ request: 'dry', send: { text: '"dryRun": true' }, ...accepted })]),
      rowOf('takes-it-out', [stepOf({ request: 'dry', remove: ['/dryRun'], ...situation('bad') })]),
      rowOf('vets', [stepOf({ request: 'vet', ...accepted })]),
      rowOf('submits', [stepOf({ request: 'submit', ...accepted })]),
      rowOf('is-refused', [stepOf({ request: 'submit', ...situation('bad') })]),
      rowOf('needs-a-party', [stepOf({ request: 'lookup', ...accepted })]),
      rowOf('needs-a-contract', [stepOf({ request: 'prepare', edit: { '/a': '${ping.id}' }, ...accepted })]),
      rowOf('needs-packages', [stepOf(accepted)], { needs: ['conformance-model'] }),
      rowOf('may-stop-it', [stepOf({ request: 'submit', ...accepted })], { impact: 'hazard' }),
    ]),
  ],
})
const capabilities = { 'conformance-model': { permission: 'upload', without: { code: 'no-packages' } } } as const
const resolved = resolveSuite(suite, profileOf())

function excluded(
  allowed: Permission[],
  availability?: Availability,
): Record<string, readonly Permission[] | string | undefined> {
  const { left } = planRun(resolved, capabilities, {
    seed: '',
    allowed: new Set(allowed),
    ...(availability && { availability }),
  })
  return Object.fromEntries(left.map(({ row, permits, reason }) => [row.row, permits ?? inWords(reason)]))
}

t.test('a row needs the permissions of its requests, even if they are rejected', async (t) => {
  t.strictSame(excluded(['read']), {
    'says-it-otherwise': ['topology'],
    'takes-it-out': ['topology'],
    vets: ['topology'],
    submits: ['write'],
    'is-refused': ['write'],
    'needs-a-party': ['write'],
    'needs-a-contract': ['write'],
    'needs-packages': ['upload'],
    'may-stop-it': ['write', 'hazard'],
  })
  t.strictSame(excluded(['read', 'write', 'topology', 'upload']), { 'may-stop-it': ['hazard'] })
  t.strictSame(excluded(['read', 'write', 'topology', 'upload', 'hazard']), {})
  const { left } = planRun(resolved, capabilities, { seed: '', allowed: new Set(['read', 'write', 'topology']) })
  t.equal(
    inWords(left.find(({ row }) => row.row === 'needs-packages')?.reason),
    'the row needs an upload of packages that the target lacks: the settings name no packages; not permitted without --allow write topology upload',
  )
})

const actorUser = (user: string, more: Partial<ActorUser> = {}): ActorUser => ({
  user,
  isCreated: false,
  grants: [],
  isShared: false,
  ...more,
})
const actorUsersOf = (byActor: Record<string, ActorUser>, provisioner: ActorUsers['provisioner']): ActorUsers => ({
  byActor: new Map(Object.entries({ bob: actorUser('bob'), ...byActor })),
  provisioner,
  defaultUser: 'admin',
  canForge: true,
  hasOwnAudience: false,
})
const [actor = ''] = resolved.rows.flatMap(({ steps }) => steps.map((step) => step.actor))
const common = {
  actors: new Map(),
  unreachable: new Set<string>(),
  parties: new Set(['alice']),
  unknownVariables: new Map(),
}

t.test('a row that lacks only users that the run can create needs the permission write', async (t) => {
  const alone = { ...common, actorUsers: actorUsersOf({}, { code: 'nothing-permitted' }) }
  const withUsers = {
    ...common,
    actorUsers: actorUsersOf({ [actor]: actorUser('made', { isCreated: true }) }, { user: 'admin' }),
  }
  const reasons = excluded(['read'], { ...alone, ifWritable: withUsers })
  t.strictSame(reasons['asks'], ['write'])
  t.strictSame(reasons['vets'], ['write', 'topology'])
  t.match(
    excluded(['read'], { ...alone, ifWritable: alone })['asks'],
    /no available user can act as/,
    'with other obstacles, the reason is the unavailable user',
  )
  const played = { ...common, actorUsers: actorUsersOf({ [actor]: actorUser('other') }, { code: 'nothing-permitted' }) }
  t.notOk('asks' in excluded(['read'], { ...played, ifWritable: withUsers }), 'an existing user can act')
  t.notOk('needs-a-party' in excluded(['read'], { ...played, ifWritable: withUsers }), 'the party is declared')
})
