/** Vetting changes: an empty validity period on the line 3.4 (rows examine it on other lines), and forced upgrades. */
import t from 'tap'
import { operations } from '../../../interface/operations.js'
import type { JsonObject } from '../../../lib/json/json.js'
import { outcomeOf } from '../../support/ledgers/external-environment.js'
import { packages } from '../../support/ledgers/model-packages.js'
import {
  ping,
  simulatorEnvironment,
  uploadPackages,
  uploadUnvetted,
} from '../../support/ledgers/simulator-environment.js'
import { at } from '../../support/replay/replay-variables.js'

const path = operations['update-package-vetting'].path

t.test('the line 3.4 rejects an empty validity period, but not in a dry run', async (t) => {
  const { wire } = await simulatorEnvironment(t, { behaviour: 'canton-3.4', protocolVersion: 34 })
  const [packageName = ''] = ping.slice(1).split(':')
  const bounds = { newValidFromInclusive: '2030-01-01T00:00:00Z', newValidUntilExclusive: '2029-01-01T00:00:00Z' }
  const changes = [{ operation: { Vet: { value: { packages: [{ packageName }], ...bounds } } } }]
  const vet = (dryRun: boolean) => wire.post(path, { changes, dryRun })
  t.equal(outcomeOf(await vet(true)), 200)
  const refused = await vet(false)
  t.equal(outcomeOf(refused), '400 TOPOLOGY_INVALID_MAPPING')
  t.match(
    String(at(refused.json(), '/context/description')),
    /^packages with empty validity period: VettedPackage\(packageId = [0-9a-f]{12}\.\.\., validFromInclusive = 2030-01-01T00:00:00Z, validUntilExclusive = 2029-01-01T00:00:00Z\)$/,
  )
})

t.test('permits a change of the older version after a forced incompatible upgrade', async (t) => {
  const { wire } = await simulatorEnvironment(t)
  await uploadPackages(wire)
  await uploadUnvetted(wire)
  const name = 'conformance-upgrade'
  const versions = packages.filter((item) => item.name === name).map(({ version }) => version)
  t.strictSame(versions.sort(), ['1.0.0', '1.1.0', '1.2.0'])
  const of = (version: string, more: JsonObject = {}): JsonObject => ({
    operation: { Vet: { value: { packages: [{ packageName: name, packageVersion: version }], ...more } } },
  })
  const change = async (changes: JsonObject[], more: JsonObject = {}) =>
    outcomeOf(await wire.post(path, { changes, ...more }))
  t.equal(await change([of('1.2.0')]), '400 NOT_VALID_UPGRADE_PACKAGE')
  const updateVettedPackagesForceFlags = ['UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES']
  t.equal(await change([of('1.2.0')], { updateVettedPackagesForceFlags }), 200)
  const bounds = { newValidFromInclusive: '2020-01-01T00:00:00Z', newValidUntilExclusive: '2090-01-01T00:00:00Z' }
  t.equal(await change([of('1.1.0', bounds)]), 200, 'bounded')
  const unvet = { operation: { Unvet: { value: { packages: [{ packageName: name, packageVersion: '1.1.0' }] } } } }
  t.equal(await change([unvet]), 200, 'unvetted')
  t.equal(await change([of('1.1.0')]), '400 NOT_VALID_UPGRADE_PACKAGE', 'not vetted again')
})
