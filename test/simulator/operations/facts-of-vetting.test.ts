/** Observations on 3.5.10 with random vetting changes. */
import t, { type Test } from 'tap'
import { operations } from '../../../interface/operations.js'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import type { SimulatorOptions } from '../../../simulator/simulator.js'
import { outcomeOf } from '../../support/ledgers/external-environment.js'
import { packages } from '../../support/ledgers/model-packages.js'
import {
  ping,
  type SimulatorEnvironment,
  simulatorEnvironment,
  uploadPackages,
  uploadUnvetted,
} from '../../support/ledgers/simulator-environment.js'
import { at } from '../../support/replay/replay-variables.js'

const path = operations['update-package-vetting'].path
const [pingName = ''] = ping.slice(1).split(':')

const vet = (name: string, more: JsonObject = {}): JsonObject => ({
  operation: { Vet: { value: { packages: [{ packageName: name }], ...more } } },
})
const bounds = (from: string, until: string): JsonObject => ({
  newValidFromInclusive: from,
  newValidUntilExclusive: until,
})

async function serialOf({ wire }: SimulatorEnvironment): Promise<JsonValue | undefined> {
  const list = await wire.post('/v2/package-vetting/list', {})
  return at(list.json(), '/vettedPackages/0/topologySerial')
}

async function environment(t: Test, options: SimulatorOptions): Promise<SimulatorEnvironment> {
  const made = await simulatorEnvironment(t, options)
  await uploadPackages(made.wire)
  return made
}

const refusal = '400 TOPOLOGY_INVALID_MAPPING'
const noon = '2030-01-01T12:00:00Z'
/** Outcome of the change, and of its dry run. */
const validities: [line: string, bounds: JsonObject, applied: number | string][] = [
  ['from equals until', bounds(noon, noon), refusal],
  ['until before from', bounds(noon, '2029-01-01T00:00:00Z'), refusal],
  ['until after from', bounds('2020-01-01T00:00:00Z', noon), 200],
]

for (const protocolVersion of [34, 35] as const) {
  for (const behaviour of ['canton-3.5', 'interface'] as const) {
    t.test(`rejects an empty validity: ${behaviour}, ${protocolVersion}`, async (t) => {
      const made = await environment(t, { behaviour, protocolVersion })
      for (const [line, value, applied] of validities) {
        const request = { changes: [vet(pingName, value)] }
        const before = await serialOf(made)
        const dry = await made.wire.post(path, { ...request, dryRun: true })
        t.equal(outcomeOf(dry), behaviour === 'canton-3.5' ? 200 : applied, `${line}: dry run`)
        t.equal(await serialOf(made), before, `${line}: a dry run changes nothing`)
        t.equal(outcomeOf(await made.wire.post(path, request)), applied, line)
        t.equal((await serialOf(made)) !== before, applied === 200, `${line}: only an accepted change is applied`)
      }
    })
  }
}

t.test('rejects members in NoPrior', async (t) => {
  const { wire } = await simulatorEnvironment(t)
  const withSerial = async (NoPrior: JsonValue) =>
    outcomeOf(await wire.post(path, { changes: [], expectedTopologySerial: { serial: { NoPrior } } }))
  for (const right of [{}, [], null]) t.equal(await withSerial(right), '400 TOPOLOGY_SERIAL_MISMATCH')
  t.equal(await withSerial({ a: 1 }), '400 text')
})

t.test('permits a change of the older version after a forced incompatible upgrade', async (t) => {
  const made = await environment(t, {})
  await uploadUnvetted(made.wire)
  const name = 'conformance-upgrade'
  const versions = packages.filter((item) => item.name === name).map(({ version }) => version)
  t.strictSame(versions.sort(), ['1.0.0', '1.1.0', '1.2.0'])
  const of = (version: string, more: JsonObject = {}): JsonObject => ({
    operation: { Vet: { value: { packages: [{ packageName: name, packageVersion: version }], ...more } } },
  })
  const change = async (changes: JsonObject[], more: JsonObject = {}) =>
    outcomeOf(await made.wire.post(path, { changes, ...more }))
  t.equal(await change([of('1.2.0')]), '400 NOT_VALID_UPGRADE_PACKAGE')
  const updateVettedPackagesForceFlags = ['UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES']
  t.equal(await change([of('1.2.0')], { updateVettedPackagesForceFlags }), 200)
  t.equal(await change([of('1.1.0', bounds('2020-01-01T00:00:00Z', '2090-01-01T00:00:00Z'))]), 200, 'bounded')
  const unvet = { operation: { Unvet: { value: { packages: [{ packageName: name, packageVersion: '1.1.0' }] } } } }
  t.equal(await change([unvet]), 200, 'unvetted')
  t.equal(await change([of('1.1.0')]), '400 NOT_VALID_UPGRADE_PACKAGE', 'not vetted again')
})
