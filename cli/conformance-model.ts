/** The packages of the conformance model, and where their archives are. */
import { fileURLToPath } from 'node:url'
import type { ModelPackage } from '../runner/provision/model.js'

const folder = new URL('../../model/packages/', import.meta.url)

function packageOf(name: string, version: string, id: string, vetted = true): ModelPackage {
  const dar = fileURLToPath(new URL(`${name}-${version}.dar`, folder))
  return { title: `${name} ${version}`, id, dar, vetted }
}

/** Each comes after those that it upgrades or depends on. */
export const conformanceModel: readonly ModelPackage[] = [
  packageOf('conformance-model', '1.0.0', 'bbddb1ced2de9046fbeaeafff9d251fae822ab3b58d9931f93f71c4b9c950b3b'),
  packageOf('conformance-model-keys', '1.0.0', '2717420a44713f5a69c5ed06cf432f94f22f28c700e290521f576356aba21831'),
  packageOf('conformance-upgrade', '1.0.0', 'a48fb23da26f027e79f2461e63672d9ddf2e97deff43a50e101a680054f75652'),
  packageOf('conformance-upgrade', '1.1.0', '35221337ab853679a452d1a369f9013568c9b5c7d8b551a84bcd887bb8a32718'),
  // No valid upgrade of the others: to be vetted, and refused.
  packageOf('conformance-upgrade', '1.2.0', '6d4246c4233aef14a461a3c977a4ada37ab62779b803ce26ebe7dcbc897a7412', false),
  packageOf('conformance-dependency', '1.0.0', '3b6eee8a5f4fd2d05437b98e1a7b8d82d27d88815b2bc47fec8e0fd5f09df509'),
  packageOf('conformance-dependent', '1.0.0', 'd7adea99d5a4c1d4d9a565fad4ee4170ee67401c517480095a267e6c0326074a'),
]
