import type { KeyObject } from 'node:crypto'
import type { BundleFile } from '../../certificate/bundle.js'
import type { VerifyOptions } from '../../certificate/verify/verify-bundle.js'
import type { RunRecord } from '../../record/types/record.js'
import { htmlReport } from '../../reports/formats/html.js'
import { inSuiteOrder } from '../../reports/wording/rows.js'
import { conformanceModel } from '../tool/conformance-model.js'
import { suitePath, toolDigest, toolIdentity } from '../tool/tool.js'
import { readParts } from './read-run.js'
import { renderReports, runReportNames, runReports } from './write-reports.js'

export const targetName = 'target.json'

/** The reports follow from the record and the signer alone. */
export async function certifiedReports(
  read: RunRecord,
  signing: { name: string; issued: string },
): Promise<BundleFile[]> {
  const record = { ...read, rows: inSuiteOrder(read.rows) }
  const others = runReports.filter((format) => format !== 'html')
  return [...(await renderReports(record, others)), ['report.html', await htmlReport(record, { signing })]]
}

interface Verifier {
  suite?: string | undefined
  key?: KeyObject | undefined
  challenge?: string | undefined
}

export const verifyOptionsOf = async ({ suite, key, challenge }: Verifier): Promise<VerifyOptions> => ({
  toolDigest: await toolDigest(),
  toolIdentity: toolIdentity(),
  suite: suitePath(suite),
  model: conformanceModel,
  reports: certifiedReports,
  records: (folder) => readParts(folder),
  targetName,
  reportNames: runReportNames,
  ...(key && { key }),
  ...(challenge !== undefined && { challenge }),
})
