/** Content of a certified bundle, and the options to verify it. */
import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { BundleFile } from '../../certificate/bundle-files.js'
import type { VerifyOptions } from '../../certificate/verify/verify-bundle.js'
import type { RunRecord } from '../../record/types/record.js'
import { htmlReport } from '../../reports/formats/html.js'
import { inSuiteOrder } from '../../reports/wording/rows.js'
import { suitePath } from '../tool/tool.js'
import { toolDigest } from '../tool/tool-digest.js'
import { readParts } from './read-run.js'
import { recordName } from './results-folder.js'
import { renderReports, runReports } from './write-reports.js'

/** File with the diagnosis of the target before the run. */
export const targetName = 'target.json'

/** The reports of a bundle. They follow from the record and the signer alone. */
export async function certifiedReports(
  read: RunRecord,
  signing: { name: string; issued: string },
): Promise<BundleFile[]> {
  const record = { ...read, rows: inSuiteOrder(read.rows) }
  const others = runReports.filter((format) => format !== 'html')
  return [...(await renderReports(record, others)), ['report.html', await htmlReport(record, { signing })]]
}

interface Verifier {
  /** Path of the trusted suite; by default the suite of the program. */
  suite?: string | undefined
  key?: KeyObject | undefined
  challenge?: string | undefined
}

export const verifyOptionsOf = async ({ suite, key, challenge }: Verifier): Promise<VerifyOptions> => ({
  toolDigest: await toolDigest(),
  suite: suitePath(suite),
  reports: certifiedReports,
  records: (folder) => readParts(join(folder, recordName)),
  targetName,
  ...(key && { key }),
  ...(challenge !== undefined && { challenge }),
})
