import type { KeyObject } from 'node:crypto'
import type { VerifyOptions } from '../../certificate/verify/verify-bundle.js'
import { bundleRecords, certifiedReports, targetName } from '../output/certified-reports.js'
import { suitePath } from '../tool/tool.js'
import { toolDigest } from '../tool/tool-digest.js'

interface Verifier {
  /** Path of the suite that the verifier trusts; that of the program unless it is named. */
  suite?: string | undefined
  key?: KeyObject | undefined
  challenge?: string | undefined
}

/** How this program verifies a bundle. */
export const verifyOptionsOf = async ({ suite, key, challenge }: Verifier): Promise<VerifyOptions> => ({
  toolDigest: await toolDigest(),
  suite: suitePath(suite),
  reports: certifiedReports,
  records: bundleRecords,
  targetName,
  ...(key && { key }),
  ...(challenge !== undefined && { challenge }),
})
