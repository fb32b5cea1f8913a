import { operations } from '../../interface/operations.js'
import { printInstant } from '../../lib/json/instant.js'
import type { JsonObject } from '../../lib/json/json.js'
import { demandAdmin } from '../auth/caller.js'
import { ok } from '../http/answer.js'
import { endpoint, on } from '../http/endpoint.js'
import { applyChanges, nextVetting, refuseEmptyValidity } from '../ledger/packages/vetting.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Synchronizer } from '../ledger/state/ledger-state.js'
import { changesOf, requestChecks, serialChecks, stateChecks, synchronizerFor, vettingBody } from './vetting-checks.js'

export const updatePackageVetting = endpoint({
  ...on(operations['update-package-vetting']),
  body: vettingBody,
  handle: ({ participant, caller, body: request }) => {
    demandAdmin(caller)
    const { ledger, behaviour, without } = participant
    const flags = request.updateVettedPackagesForceFlags
    requestChecks.run({ ...request, behaviour }, without)
    const changes = changesOf(request.changes, behaviour)
    const synchronizer = synchronizerFor(request.synchronizerId, ledger, without)
    const { vetting } = synchronizer
    const { packages, protocolVersion } = ledger
    const after = applyChanges(vetting.packages, changes, packages)
    serialChecks.run({ expected: request.expectedTopologySerial?.serial, vetting }, without)
    const planned = nextVetting(vetting, after)
    if (planned !== vetting) {
      stateChecks.run({ before: vetting.packages, after, flags, packages, protocolVersion, behaviour }, without)
    }
    const isUnchecked = request.dryRun && behaviour.has('empty-validity-in-dry-run')
    if (!isUnchecked) refuseEmptyValidity(planned.packages)
    const answer = {
      // Before the first change.
      pastVettedPackages: vetting.serial === 0 ? null : view(ledger, synchronizer),
      newVettedPackages: view(ledger, synchronizer, planned),
    }
    if (!request.dryRun) synchronizer.vetting = planned
    return ok(answer)
  },
})

const printBound = (time: bigint | undefined): string | null => (time === undefined ? null : printInstant(time))

export function view(
  ledger: Ledger,
  synchronizer: Synchronizer,
  state = synchronizer.vetting,
  wanted: (packageId: string) => boolean = () => true,
): JsonObject {
  return {
    packages: state.packages
      .filter(({ packageId }) => wanted(packageId))
      .map(({ packageId, validFrom, validUntil }) => ({
        packageId,
        validFromInclusive: printBound(validFrom),
        validUntilExclusive: printBound(validUntil),
        packageName: ledger.packages.get(packageId)?.name ?? '',
        packageVersion: ledger.packages.get(packageId)?.version ?? '',
      })),
    participantId: ledger.participantId,
    synchronizerId: synchronizer.id,
    topologySerial: state.serial,
  }
}
