import type { Endpoint } from './http/endpoint.js'
import { contractById } from './operations/contract-by-id.js'
import { execute, executeAndWait, executeAndWaitForTransaction } from './operations/execute.js'
import { prepare } from './operations/prepare.js'
import { submitAndWait } from './operations/submit-and-wait.js'
import { updatePackageVetting } from './operations/update-package-vetting.js'
import { activeContracts, activeContractsPage, activeContractsPageByGet } from './support/active-contracts.js'
import { completions } from './support/completions.js'
import { eventsByContractId } from './support/contract-events.js'
import { allocateExternalParty, generateExternalTopology } from './support/external-parties.js'
import { livez, openApi, readyz, version } from './support/health.js'
import {
  getPackage,
  listPackages,
  listVettedPackages,
  packageStatus,
  uploadDar,
  uploadPackages,
  validateDar,
} from './support/packages.js'
import { allocateParty, getParty, listParties, participantId } from './support/parties.js'
import { preferredPackages, preferredPackageVersion } from './support/preferred-packages.js'
import { connectedSynchronizers, ledgerEnd, prunedOffsets } from './support/state.js'
import {
  transactionById,
  transactionByOffset,
  transactionTreeById,
  transactionTreeByOffset,
  updateById,
  updateByOffset,
} from './support/update-lookup.js'
import { updates, updatesFlat, updatesTrees } from './support/updates.js'
import {
  authenticatedUser,
  createUser,
  deleteUser,
  getUser,
  grantRights,
  listRights,
  listUsers,
  revokeRights,
  updateUser,
} from './support/users.js'

/** The more specific of two matching paths comes first. */
export const endpoints: readonly Endpoint[] = [
  contractById,
  submitAndWait,
  prepare,
  preferredPackages,
  preferredPackageVersion,
  execute,
  executeAndWait,
  executeAndWaitForTransaction,
  completions,
  updatePackageVetting,
  livez,
  readyz,
  version,
  openApi,
  ledgerEnd,
  prunedOffsets,
  connectedSynchronizers,
  participantId,
  listParties,
  getParty,
  allocateParty,
  generateExternalTopology,
  allocateExternalParty,
  createUser,
  listUsers,
  getUser,
  updateUser,
  deleteUser,
  listRights,
  grantRights,
  revokeRights,
  authenticatedUser,
  updateById,
  updateByOffset,
  transactionById,
  transactionByOffset,
  transactionTreeById,
  transactionTreeByOffset,
  updates,
  updatesFlat,
  updatesTrees,
  activeContracts,
  activeContractsPage,
  activeContractsPageByGet,
  eventsByContractId,
  uploadDar,
  uploadPackages,
  validateDar,
  listPackages,
  packageStatus,
  getPackage,
  listVettedPackages,
]
