import type { Endpoint } from './http/endpoint.js'
import { isStream } from './http/stream.js'
import { contractById } from './operations/contract-by-id.js'
import { executeEndpoints } from './operations/execute.js'
import { prepare } from './operations/prepare.js'
import { submitAndWait } from './operations/submit-and-wait.js'
import { updatePackageVetting } from './operations/update-package-vetting.js'
import { activeContractEndpoints } from './support/active-contracts.js'
import { reassignmentEndpoints } from './support/commands/reassignments.js'
import { submissionEndpoints } from './support/commands/submissions.js'
import { completionStreams } from './support/completions.js'
import { externalPartyEndpoints } from './support/external-parties.js'
import { identityProviderEndpoints } from './support/identity-providers.js'
import { packageEndpoints } from './support/packages.js'
import { partyEndpoints } from './support/parties.js'
import { preferenceEndpoints } from './support/preferred-packages.js'
import { describeStreams, stateEndpoints } from './support/state.js'
import { lookupEndpoints } from './support/update-lookup.js'
import { updateEndpoints } from './support/updates.js'
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
  ...stateEndpoints,
  ...partyEndpoints,
  ...externalPartyEndpoints,
  ...userEndpoints,
  ...identityProviderEndpoints,
  ...lookupEndpoints,
  ...updateEndpoints,
  ...activeContractEndpoints,
  ...packageEndpoints,
]

export const endpoints: readonly Endpoint[] = [...operations, describeStreams(operations.filter(isStream))]
