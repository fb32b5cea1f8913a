/** The packages of the conformance model: there on both sides, or used on neither. */
import { type ModelPackage, seeModel, uploadModel } from '../../runner/provision/model-packages.js'
import type { Permissions } from '../../runner/target/permissions.js'
import type { Side } from './side.js'

/** True: conversations can rely on them; otherwise why not. Uploads what is missing where that may be done. */
export async function provideModel(
  { discovery, speaker, as, uploader }: Side,
  packages: readonly ModelPackage[],
  allowed: Permissions,
): Promise<true | string> {
  const uploading = allowed.has('upload') ? 'permitted' : 'if-permitted'
  const seen = await seeModel(packages, uploading, discovery, as(speaker))
  const isWhole = seen.missing.length + seen.misvetted.length === 0
  const { capability } =
    seen.capability === true && !isWhole
      ? (await uploadModel(packages, seen, discovery, as(speaker), uploader(speaker))).model
      : seen
  if (capability === true || typeof capability === 'string') return capability
  return 'hindered' in capability ? capability.hindered : capability.without
}
