/** What `verify` derives a record from: the suite in a folder, and the packages of the program. */
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import type { RunRecord } from '../../../record/types/record.js'
import type { DerivedFrom } from '../../../runner/derive/derive-run.js'
import { loadSuite } from '../../../runner/load/load-suite.js'

export async function derivedFrom(folder: string, { header }: RunRecord): Promise<DerivedFrom> {
  const suite = await loadSuite(folder, header.profile.file)
  const profile = suite.profiles.get(header.profile.name)
  if (!profile) throw new Error(`no profile ${header.profile.name}`)
  return { suite, profile, model: conformanceModel }
}
