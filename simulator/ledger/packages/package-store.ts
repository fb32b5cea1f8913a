import type { Payload } from '../../../daml/archive/payload.js'
import { decodeMetadata, decodePackage, readStoredPackage } from '../../../daml/decode/package.js'
import type { Package, PackageHead } from '../../../daml/language/package.js'
import { Program } from '../../../daml/machine/program.js'
import { type ChoiceSchema, type InterfaceSchema, type TemplateSchema, Types } from '../../../daml/schema/schema.js'
import type { DamlIdentifier } from '../../../interface/daml-value.js'
import { readOwnFile } from '../../../lib/files/read-input.js'
import { once } from '../../../lib/made-once.js'

export interface HeldPackage extends PackageHead {
  /** Archive payload, whose hash is the id; undefined for built-in packages. */
  readonly bytes: Uint8Array | undefined
  /** Decoded on first use. Throws `ArchiveError` for invalid bytes. */
  readonly content: Package
}

function heldPackage(metadata: PackageHead, read: () => Package, bytes?: Uint8Array): HeldPackage {
  const content = once(read)
  return {
    ...metadata,
    bytes,
    get content() {
      return content()
    },
  }
}

/** Throws `ArchiveError` if the name cannot be decoded; `content` reports other errors. */
export function packageIn({ packageId: id, language, bytes, package: content }: Payload): HeldPackage {
  const metadata = { id, language, ...decodeMetadata(content) }
  return heldPackage(metadata, () => decodePackage(id, language, content), bytes)
}

/** The package of a vetting request; empty strings mean absent. */
export interface VettingReference {
  id: string
  name: string
  version: string
}

export interface VettedPackage {
  packageId: string
  /** Microseconds since 1970. */
  validFrom?: bigint
  validUntil?: bigint
}

/** Reads the file on first use. */
const builtIn = (metadata: PackageHead): HeldPackage =>
  heldPackage(metadata, () => {
    const file = `../../../../model/built-in/${metadata.name}-${metadata.version}.json`
    return readStoredPackage(readOwnFile(new URL(file, import.meta.url)))
  })

/** Reference participants since 3.4 contain and vet exactly these bytes. */
export const builtInPackage = builtIn({
  id: 'de2cc2f90eb523414ff54e899951dadd8789a4c07e0f71f6d6c9eaf57d412a54',
  name: 'canton-builtin-admin-workflow-ping',
  version: '3.4.0',
  language: '2.2',
})

const library = [
  ['5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4', 'daml-prim-DA-Types'],
  ['9e70a8b3510d617f8a136213f33d6a903a10ca0eeec76bb06ba55d1ed9680f69', 'daml-stdlib-DA-Internal-Template'],
  ['91e167fa7a256f21f990c526a0a0df840e99aeef0e67dc1f5415b0309486de74', 'daml-prim-DA-Exception-PreconditionFailed'],
  ['6da1f43a10a179524e840e7288b47bda213339b0552d92e87ae811e52f59fc0e', 'daml-prim-DA-Exception-AssertionFailed'],
] as const

export const builtInPackages: ReadonlyMap<string, HeldPackage> = new Map(
  [builtInPackage, ...library.map(([id, name]) => builtIn({ id, name, version: '1.0.0', language: '2.1' }))].map(
    (held) => [held.id, held],
  ),
)

export type Entity = { template: TemplateSchema; interface?: never } | { interface: InterfaceSchema; template?: never }

/** Immutable: an upload creates another store. */
export class PackageStore {
  readonly #held: ReadonlyMap<string, HeldPackage>
  readonly program: Program
  readonly types: Types

  constructor(packages: readonly HeldPackage[]) {
    this.#held = new Map(packages.map((item) => [item.id, item]))
    // The built-in package needs library packages that participants do not list.
    this.program = new Program((id) => (this.#held.get(id) ?? builtInPackages.get(id))?.content)
    this.types = new Types(this.program)
  }

  with(packages: readonly HeldPackage[]): PackageStore {
    const added = packages.filter(({ id }) => !this.#held.has(id))
    return added.length === 0 ? this : new PackageStore([...this.all(), ...added])
  }

  get(packageId: string): HeldPackage | undefined {
    return this.#held.get(packageId)
  }

  all(): HeldPackage[] {
    return [...this.#held.values()]
  }

  /** Packages that can be upgraded, newest first. */
  versionsOf(name: string): HeldPackage[] {
    return this.all()
      .filter((item) => item.name === name && supportsUpgrades(item))
      .sort((a, b) => compareVersions(b.version, a.version))
  }

  entity({ packageId, module, entity }: DamlIdentifier): Entity | undefined {
    const found = this.get(packageId)?.content.modules.get(module)
    const template = found?.templates.get(entity)
    if (template) return { template: this.types.template(template) }
    const definition = found?.interfaces.get(entity)
    return definition && { interface: this.types.interface(definition) }
  }

  template(id: DamlIdentifier): TemplateSchema | undefined {
    return this.entity(id)?.template
  }

  choice(id: DamlIdentifier, name: string): ChoiceSchema | undefined {
    const { template, interface: definition } = this.entity(id) ?? {}
    return (template ?? definition)?.choices.find((choice) => choice.name === name)
  }
}

/** Packages without serializable types cannot be upgraded, and several may share name and version (observed on 3.5.10). */
const supportsUpgrades = ({ name, content }: HeldPackage): boolean =>
  !standardLibraries.has(name) &&
  [...content.modules.values()].some(
    ({ templates, interfaces, dataTypes }) =>
      templates.size > 0 || interfaces.size > 0 || [...dataTypes.values()].some(({ serializable }) => serializable),
  )

const standardLibraries: ReadonlySet<string> = new Set(['daml-prim', 'daml-stdlib'])

function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number)
  const right = b.split('.').map(Number)
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Vetted versions that a preference permits, newest first. The last preferred id of a name excludes all other versions
 * (observed on 3.5.10).
 */
export function packageCandidates(
  name: string,
  preference: readonly string[],
  packages: PackageStore,
  isVetted: (packageId: string) => boolean,
): HeldPackage[] {
  const only = preference.findLast((id) => packages.get(id)?.name === name)
  return packages.versionsOf(name).filter(({ id }) => (only === undefined || id === only) && isVetted(id))
}
