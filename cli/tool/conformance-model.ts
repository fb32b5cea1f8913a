import { fileURLToPath } from 'node:url'
import type { ModelPackage } from '../../runner/provision/model-packages.js'

const folder = new URL('../../../model/packages/', import.meta.url)

function packageOf(name: string, version: string, id: string, vetted = true): ModelPackage {
  const dar = fileURLToPath(new URL(`${name}-${version}.dar`, folder))
  return { title: `${name} ${version}`, id, dar, vetted }
}

/** In order of upgrades and dependencies. */
export const conformanceModel: readonly ModelPackage[] = [
  packageOf('conformance-model', '1.0.0', 'bbddb1ced2de9046fbeaeafff9d251fae822ab3b58d9931f93f71c4b9c950b3b'),
  packageOf('conformance-model-keys', '1.0.0', '2717420a44713f5a69c5ed06cf432f94f22f28c700e290521f576356aba21831'),
  packageOf('conformance-upgrade', '1.0.0', 'a48fb23da26f027e79f2461e63672d9ddf2e97deff43a50e101a680054f75652'),
  packageOf('conformance-upgrade', '1.1.0', '35221337ab853679a452d1a369f9013568c9b5c7d8b551a84bcd887bb8a32718'),
  // Not a valid upgrade: vetting must be rejected.
  packageOf('conformance-upgrade', '1.2.0', '6d4246c4233aef14a461a3c977a4ada37ab62779b803ce26ebe7dcbc897a7412', false),
  packageOf('conformance-dependency', '1.0.0', '3b6eee8a5f4fd2d05437b98e1a7b8d82d27d88815b2bc47fec8e0fd5f09df509'),
  packageOf('conformance-dependent', '1.0.0', 'd7adea99d5a4c1d4d9a565fad4ee4170ee67401c517480095a267e6c0326074a'),
  packageOf('conformance-views', '1.0.0', 'f04200a7ab45d767e5891974879152ccffe43d953b5a83457d524ba88cd170be'),
  packageOf('conformance-iface', '1.0.0', 'ce826622f4ff05b9a05c3bac79dfc6f0bda1d96df4159a8ddc15d5605aa5a96c'),
  packageOf('conformance-impl', '1.0.0', '7dd7c48a460e68836b6975ea4681466d3deb42d2fb463ce3667b29abc0150772'),
  packageOf('conformance-impl', '1.1.0', 'efb1ddf5b6767a5389bd4e1dae0daa3135c6c33241163c3afcabc0c37c04e6dd'),
  packageOf('conformance-limits', '1.0.0', 'd9315069da87fa5e06c9dda5645322d0bb1eaabb68b2219d7e0b2c9b10e6882b'),
  packageOf('conformance-keys-2', '1.0.0', 'ac555002cbb8c883174670c27e83de26bc1a9cb989fb288cace01513781e57d0'),
  packageOf('conformance-known', '1.0.0-a', '80ef662f48e99beeb129d89f6bd488e206aa67407dd7941b01e2e56cc83ac49a'),
  // Name and version of the previous package: vetting must be rejected.
  packageOf('conformance-known', '1.0.0-b', 'df6905d8ae6f698b187cd74875425a620206f8e4f19094d1b16f1178e216ed38', false),
  packageOf('conformance-effects', '1.0.0', '89810cddcde958a67c0457e40f4c084468bab4af7495181968f7370eeca3d658'),
]
