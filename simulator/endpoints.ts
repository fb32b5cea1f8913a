import type { Endpoint } from './http/endpoint.js'
import { isStream } from './http/stream-endpoint.js'
import { contractById } from './operations/contract-by-id.js'
import { executeEndpoints } from './operations/execute.js'
import { prepare } from './operations/prepare.js'
import { submitAndWait } from './operations/submit-and-wait.js'
import { updatePackageVetting } from './operations/update-package-vetting.js'
import { activeContractEndpoints } from './support/active-contracts.js'
import { reassignmentEndpoints } from './support/commands/reassignments.js'
import { submissionEndpoints } from './support/commands/submissions.js'
import { completionStreams } from './support/completions.js'
import { eventsByContractId } from './support/contract-events.js'
import { externalPartyEndpoints } from './support/external-parties.js'
import { healthEndpoints } from './support/health.js'
import { identityProviderEndpoints } from './support/identity-providers.js'
import { packageEndpoints } from './support/packages.js'
import { partyEndpoints } from './support/parties.js'
import { preferenceEndpoints } from './support/preferred-packages.js'
import { stateEndpoints } from './support/state.js'
import { describeStreams } from './support/stream-description.js'
import { updateLookupEndpoints } from './support/update-lookup.js'
import { updateStreams } from './support/updates.js'
import { updatesPage } from './support/updates-page.js'
import { userEndpoints } from './support/users.js'

/** The more specific of two matching paths comes first. */
const operations: readonly Endpoint[] = [
  contractById,
  submitAndWait,
  ...submissionEndpoints,
  ...reassignmentEndpoints,
  prepare,
  ...preferenceEndpoints,
  ...executeEndpoints,
  ...completionStreams,
  updatePackageVetting,
  ...healthEndpoints,
  ...stateEndpoints,
  ...partyEndpoints,
  ...externalPartyEndpoints,
  ...userEndpoints,
  ...identityProviderEndpoints,
  ...updateLookupEndpoints,
  ...updateStreams,
  updatesPage,
  ...activeContractEndpoints,
  eventsByContractId,
  ...packageEndpoints,
]

export const endpoints: readonly Endpoint[] = [...operations, describeStreams(operations.filter(isStream))]
