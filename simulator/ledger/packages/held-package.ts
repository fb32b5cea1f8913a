import type { Payload } from '../../../daml/archive/payload.js'
import { decodeMetadata, decodePackage, type PackageMetadata } from '../../../daml/decode/package.js'
import type { LanguageVersion, Package } from '../../../daml/language/package.js'

/** A package that a participant holds: what it says of itself, and what it defines, which is read when somebody asks for it. */
export class HeldPackage implements PackageMetadata {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly language: LanguageVersion
  /** What an archive of it holds, and the id is the hash of; undefined for a package that is built in. */
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

  /** Throws `ArchiveError` where not even the name can be read; what is wrong further inside shows with the content. */
  static fromPayload({ packageId: id, language, bytes, package: content }: Payload): HeldPackage {
    const metadata = { id, language, ...decodeMetadata(content) }
    return new HeldPackage(metadata, bytes, () => decodePackage(id, language, content))
  }

  /** A package of which there is no archive: `read` says what it defines. */
  static fromDefinitions(
    metadata: Pick<Package, 'id' | 'name' | 'version' | 'language'>,
    read: () => Package,
  ): HeldPackage {
    return new HeldPackage(metadata, undefined, read)
  }

  /** Throws `ArchiveError` for bytes that are no package. */
  get content(): Package {
    this.#content ??= this.#read()
    return this.#content
  }
}
