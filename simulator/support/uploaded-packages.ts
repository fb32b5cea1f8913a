import { readDar } from '../../daml/archive/dar.js'
import { ArchiveError } from '../../daml/decode/archive-error.js'
import type { Package } from '../../daml/language/package.js'
import {
  darDependenciesNotValid,
  darParseError,
  invalidDar,
  invalidZipEntry,
  type LedgerError,
} from '../base/errors.js'
import { type HeldPackage, type PackageStore, packageIn } from '../ledger/packages/package-store.js'

/** Packages of the simulators of this process: decoding takes most of the time of an upload. The id is a hash of the bytes. */
const decoded = new Map<string, WeakRef<HeldPackage>>()

function keepDecoded(packages: readonly HeldPackage[]): void {
  for (const [id, reference] of decoded) if (!reference.deref()) decoded.delete(id)
  for (const item of packages) decoded.set(item.id, new WeakRef(item))
}

/**
 * Main package first. Throws `INVALID_DAR` for a malformed archive, `INVALID_ZIP_ENTRY` for a missing entry,
 * `DAR_PARSE_ERROR` for a malformed package, and `DAR_DEPENDENCIES_NOT_VALID`. Types are not checked: a submission
 * that meets an ill-typed term is rejected.
 */
export function uploadedPackages(bytes: Uint8Array, held: PackageStore): HeldPackage[] {
  try {
    const { main, dependencies } = readDar(bytes)
    const packages = [main, ...dependencies].map(
      (payload) => held.get(payload.packageId) ?? decoded.get(payload.packageId)?.deref() ?? packageIn(payload),
    )
    demandDependencies(packages)
    keepDecoded(packages)
    return packages
  } catch (error) {
    if (error instanceof ArchiveError) throw refusalOf(error)
    throw error
  }
}

function refusalOf({ problem, message, entry }: ArchiveError): LedgerError {
  if (problem === 'DAR') {
    return invalidDar('service', 'Dar file is corrupt', {
      context: { entries: 'List()', throwable: message },
    })
  }
  if (problem === 'ENTRY') {
    return invalidZipEntry('service', 'Dar zip file is corrupt', {
      context: { entries: 'List()', ...(entry !== undefined && { name: entry }) },
    })
  }
  return darParseError('service', 'Failed to parse the dar file content.', {
    context: { reason: message },
  })
}

/** A DAR contains all packages that its packages refer to. */
function demandDependencies(packages: readonly HeldPackage[]): void {
  const present = new Set(packages.map(({ id }) => id))
  const missing = new Set(packages.flatMap((item) => contentOf(item).dependencies.filter((id) => !present.has(id))))
  const [main] = packages
  if (missing.size === 0 || !main) return
  throw darDependenciesNotValid('service', 'The DAR lacks packages that its packages refer to', {
    context: {
      mainPackageId: main.id,
      missingDependencies: `Set(${[...missing].join(', ')})`,
      extraDependencies: 'Set()',
    },
  })
}

function contentOf(item: HeldPackage): Package {
  try {
    return item.content
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw new ArchiveError(error.problem, `package ${item.name} ${item.version} (${item.id}): ${error.message}`)
  }
}
