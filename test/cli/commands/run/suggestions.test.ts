/** Each suggestion of a run has the stated effect with the settings of the run. */
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { runCommand } from '../../../../cli/commands/run-command.js'
import type { Flags } from '../../../../cli/target/settings.js'
import type { RecordedRefusal } from '../../../../record/types/effects.js'
import type { RecordedWant } from '../../../../record/types/recorded-target.js'
import { startSimulator } from '../../../../simulator/simulator.js'
import { call } from '../../../support/processes/called-command.js'
import '../../../support/time-limit.js'

const secret = 'the secret of a participant'

interface Forecast {
  rows: { run: number; notApplicable: number }
  allowed: string[]
  refusals: RecordedRefusal[]
  wants: RecordedWant[]
}

async function forecast(t: Test, flags: Flags): Promise<Forecast> {
  const { code, stdout, stderr } = await call(t, () => runCommand({ ...flags, dryRun: true, json: true }, false))
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

const settings: Flags[] = [
  {},
  { allow: ['read'] },
  { unreachable: ['allocate-party', 'create-user'] },
  { unreachable: ['prepare'], protocolVersion: '35' },
  { unreachable: ['all'], allow: ['read'], protocolVersion: '35' },
]

t.test('permissions', async (t) => {
  const open = await startSimulator()
  const protectedOne = await startSimulator({ authorization: `hs256:${secret}` })
  t.teardown(() => Promise.all([open.close(), protectedOne.close()]))
  const suggested: string[] = []
  for (const flags of settings) {
    suggested.push(...(await expectEffect(t, { ...flags, target: open.url })))
    const signed = { ...flags, target: protectedOne.url, authorization: `hs256:${secret}` }
    suggested.push(...(await expectEffect(t, signed)))
    const given = [`administrator=${await token('participant_admin')}`]
    suggested.push(...(await expectEffect(t, { ...flags, target: protectedOne.url, token: given }, 2)))
  }
  t.ok(suggested.length > 30, `${suggested.length} suggestions`)
  const sets = ['hazard', 'topology', 'topology,upload', 'upload', 'write', 'write,hazard', 'write,topology']
  t.strictSame([...new Set(suggested)].sort(), [...sets, 'write,topology,upload', 'write,upload'].sort())
})
