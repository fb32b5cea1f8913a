/** The packages of the conformance model: there on both sides, or used on neither. */
import { checkModel, type ModelPackage, uploadModel } from '../../runner/provision/model-packages.js'
import type { Permissions } from '../../runner/target/permissions.js'
import type { Side } from './side.js'

/** True: conversations can rely on them; otherwise why not. Uploads what is missing where that may be done. */
export async function provideModel(
  { discovery, defaultUser, as, uploadAs }: Side,
  packages: readonly ModelPackage[],
  allowed: Permissions,
): Promise<true | string> {
  const uploading = allowed.has('upload') ? 'permitted' : 'if-permitted'
  const seen = await checkModel(packages, uploading, discovery, as(defaultUser))
  const isWhole = seen.missing.length + seen.wronglyVetted.length === 0
  const { capability } =
    seen.capability === true && !isWhole
      ? (await uploadModel(packages, seen, discovery, as(defaultUser), uploadAs(defaultUser))).model
      : seen
  if (capability === true || typeof capability === 'string') return capability
  return 'hindered' in capability ? capability.hindered : capability.without
}
