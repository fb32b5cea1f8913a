import type { Payload } from '../../../daml/archive/payload.js'
import { decodeMetadata, decodePackage, type PackageMetadata } from '../../../daml/decode/package.js'
import type { LanguageVersion, Package } from '../../../daml/language/package.js'

/** Decodes its content on first use. */
export class HeldPackage implements PackageMetadata {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly language: LanguageVersion
  /** Archive payload, whose hash is the id; undefined for built-in packages. */
  readonly bytes: Uint8Array | undefined
  readonly #read: () => Package
  #content: Package | undefined

  private constructor(
    { id, name, version, language }: Pick<Package, 'id' | 'name' | 'version' | 'language'>,
    bytes: Uint8Array | undefined,
    read: () => Package,
  ) {
    this.id = id
    this.name = name
    this.version = version
    this.language = language
    this.bytes = bytes
    this.#read = read
  }

  /** Throws `ArchiveError` if the name cannot be decoded; `content` reports other errors. */
  static fromPayload({ packageId: id, language, bytes, package: content }: Payload): HeldPackage {
    const metadata = { id, language, ...decodeMetadata(content) }
    return new HeldPackage(metadata, bytes, () => decodePackage(id, language, content))
  }

  static fromDefinitions(
    metadata: Pick<Package, 'id' | 'name' | 'version' | 'language'>,
    read: () => Package,
  ): HeldPackage {
    return new HeldPackage(metadata, undefined, read)
  }

  /** Throws `ArchiveError` for invalid bytes. */
  get content(): Package {
    this.#content ??= this.#read()
    return this.#content
  }
}

/** The package of a vetting request; empty strings mean absent. */
export interface VettingReference {
  id: string
  name: string
  version: string
}
