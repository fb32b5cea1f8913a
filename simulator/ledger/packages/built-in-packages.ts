import type { Package } from '../../../daml/language/package.js'
import { readPackageText } from '../../../daml/text/package.js'
import { readOwnFile } from '../../../lib/files/read-input.js'
import { HeldPackage } from './held-package.js'

/** Reads the text on first use. */
const fromText = (metadata: Pick<Package, 'id' | 'name' | 'version' | 'language'>): HeldPackage =>
  HeldPackage.fromDefinitions(metadata, () => {
    const file = `../../../../model/built-in/${metadata.name}-${metadata.version}.lf`
    return readPackageText(readOwnFile(new URL(file, import.meta.url)), metadata.id, metadata.language)
  })

/** Reference participants since 3.4 contain and vet exactly these bytes. */
export const builtInPackage = fromText({
  id: 'de2cc2f90eb523414ff54e899951dadd8789a4c07e0f71f6d6c9eaf57d412a54',
  name: 'canton-builtin-admin-workflow-ping',
  version: '3.4.0',
  language: '2.2',
})

const library = [
  fromText({
    id: '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4',
    name: 'daml-prim-DA-Types',
    version: '1.0.0',
    language: '2.1',
  }),
  fromText({
    id: '9e70a8b3510d617f8a136213f33d6a903a10ca0eeec76bb06ba55d1ed9680f69',
    name: 'daml-stdlib-DA-Internal-Template',
    version: '1.0.0',
    language: '2.1',
  }),
  fromText({
    id: '91e167fa7a256f21f990c526a0a0df840e99aeef0e67dc1f5415b0309486de74',
    name: 'daml-prim-DA-Exception-PreconditionFailed',
    version: '1.0.0',
    language: '2.1',
  }),
  fromText({
    id: '6da1f43a10a179524e840e7288b47bda213339b0552d92e87ae811e52f59fc0e',
    name: 'daml-prim-DA-Exception-AssertionFailed',
    version: '1.0.0',
    language: '2.1',
  }),
]

export const builtInPackages: ReadonlyMap<string, HeldPackage> = new Map(
  [builtInPackage, ...library].map((held) => [held.id, held]),
)
