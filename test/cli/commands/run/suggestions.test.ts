/** Each suggestion of a run has the stated effect with the settings of the run. */
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { runCommand } from '../../../../cli/commands/run-command.js'
import type { Flags } from '../../../../cli/target/settings.js'
import type { RecordedRefusal } from '../../../../record/types/effects.js'
import type { RecordedWant } from '../../../../record/types/recorded-target.js'
import { startSimulator } from '../../../../simulator/simulator.js'
import { call } from '../../../support/processes/called-command.js'

const secret = 'the secret of a participant'

interface Forecast {
  rows: { run: number; notApplicable: number }
  allowed: string[]
  refusals: RecordedRefusal[]
  wants: RecordedWant[]
}

async function forecast(t: Test, flags: Flags): Promise<Forecast> {
  const { code, stdout, stderr } = await call(() => runCommand({ ...flags, dryRun: true, json: true }, false))
  t.equal(code, 0, stderr)
  return JSON.parse(stdout) as Forecast // our own output
}

const token = (sub: string): Promise<string> =>
  new SignJWT({ sub, scope: 'daml_ledger_api', exp: Math.floor(Date.now() / 1000) + 299 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret))

/** Rows of each operation, and of each set of permissions that a suggestion names. */
const only = [
  'CBI-C*',
  'CBI-KEY',
  'CBI-O*',
  'EWT-ANY*',
  'EXE-SCH*',
  'SAW-FAR*',
  'SAW-NE*',
  'SAW-US*',
  'VET-AP*',
  'VET-NAMES',
  'VET-RE*',
  'VET-UN*',
]

/**
 * Returns the sets of permissions of the suggestions. `lost`: rows that the permission excludes, because the run then grants rights to an
 * existing user.
 */
async function expectEffect(t: Test, given: Flags, lost = 0): Promise<string[]> {
  const flags = { only, ...given }
  const before = await forecast(t, flags)
  for (const { permissions, rows } of before.refusals) {
    const after = await forecast(t, { ...flags, allow: [...before.allowed, ...permissions] })
    const what = `${JSON.stringify(flags)}: ${permissions.join()} for ${rows} of ${before.rows.notApplicable} rows`
    t.ok(after.rows.run >= before.rows.run + rows - lost, `${what}, ${before.rows.run} → ${after.rows.run}`)
  }
  return before.refusals.map(({ permissions }) => permissions.join())
}

const secretOf = { authorization: `hs256:${secret}` }

/** Flags for an open participant, or for a protected one with its key or with the token of its administrator. */
const settings: readonly [access: 'open' | 'key' | 'token', flags: Flags][] = [
  ['open', {}],
  ['open', { allow: ['read'] }],
  ['key', { allow: ['read'] }],
  ['token', { unreachable: ['prepare'], protocolVersion: '35' }],
]

t.test('permissions', async (t) => {
  const open = await startSimulator()
  const protectedOne = await startSimulator(secretOf)
  t.teardown(() => Promise.all([open.close(), protectedOne.close()]))
  const suggested: string[] = []
  const given = [`administrator=${await token('participant_admin')}`]
  const accesses = {
    open: { target: open.url },
    key: { target: protectedOne.url, ...secretOf },
    token: { target: protectedOne.url, token: given },
  }
  for (const [access, flags] of settings) {
    const lost = access === 'token' ? 2 : 0
    suggested.push(...(await expectEffect(t, { ...flags, ...accesses[access] }, lost)))
  }
  const sets = ['hazard', 'topology', 'topology,upload', 'upload', 'write', 'write,hazard', 'write,topology']
  t.strictSame([...new Set(suggested)].sort(), [...sets, 'write,topology,upload', 'write,upload'].sort())
})
