import { conformanceDependency } from './conformance-dependency.js'
import { conformanceDependent } from './conformance-dependent.js'
import { conformanceModel } from './conformance-model.js'
import { conformanceModelKeys } from './conformance-model-keys.js'
import { conformanceUpgrades } from './conformance-upgrade.js'
import type { DamlPackage } from './description.js'
import { builtInPackage } from './ping.js'

export { builtInPackage }

/** Every package that is described, the built-in one first. */
export const packages: DamlPackage[] = [
  builtInPackage,
  conformanceModel,
  conformanceModelKeys,
  ...conformanceUpgrades,
  conformanceDependency,
  conformanceDependent,
]
