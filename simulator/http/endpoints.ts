import { contractById } from './contract-by-id.js'
import type { Endpoint } from './endpoint.js'
import { execute, executeAndWait, executeAndWaitForTransaction } from './execute.js'
import { prepare } from './prepare.js'
import { submitAndWait } from './submit-and-wait.js'
import { completions } from './support/completions.js'
import { allocateExternalParty, generateExternalTopology } from './support/external-parties.js'
import { livez, readyz, version } from './support/health.js'
import {
  getPackage,
  listPackages,
  listVettedPackages,
  packageStatus,
  uploadDar,
  validateDar,
} from './support/packages.js'
import { allocateParty, getParty, participantId } from './support/parties.js'
import { connectedSynchronizers, ledgerEnd, prunedOffsets } from './support/state.js'
import { activeContracts, eventsByContractId, updateById, updateByOffset, updates } from './support/updates.js'
import {
  authenticatedUser,
  createUser,
  deleteUser,
  getUser,
  grantRights,
  listRights,
  listUsers,
  revokeRights,
} from './support/users.js'
import { updatePackageVetting } from './update-package-vetting.js'

/** Everything that the participant answers to; of two paths that could match, the more special one stands first. */
export const endpoints: readonly Endpoint[] = [
  contractById,
  submitAndWait,
  prepare,
  execute,
  executeAndWait,
  executeAndWaitForTransaction,
  completions,
  updatePackageVetting,
  livez,
  readyz,
  version,
  ledgerEnd,
  prunedOffsets,
  connectedSynchronizers,
  participantId,
  getParty,
  allocateParty,
  generateExternalTopology,
  allocateExternalParty,
  createUser,
  listUsers,
  getUser,
  deleteUser,
  listRights,
  grantRights,
  revokeRights,
  authenticatedUser,
  updateById,
  updateByOffset,
  updates,
  activeContracts,
  eventsByContractId,
  uploadDar,
  validateDar,
  listPackages,
  packageStatus,
  getPackage,
  listVettedPackages,
]
