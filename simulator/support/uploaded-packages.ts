/** What an upload holds, read as far as it has to be to refuse what cannot be used. */
import { ArchiveError } from '../../daml/archive/archive-error.js'
import { readDar } from '../../daml/archive/dar.js'
import type { Package } from '../../daml/language/package.js'
import { EvaluationFailure } from '../../daml/machine/failures.js'
import { darParseError, darValidationError, invalidDar, type LedgerError } from '../base/errors.js'
import { HeldPackage } from '../ledger/held-package.js'
import type { PackageStore } from '../ledger/package-store.js'

/**
 * The packages of a DAR, the main one first. Throws `INVALID_DAR` for what is no archive, `DAR_PARSE_ERROR` for a package
 * that cannot be read, `DAR_VALIDATION_ERROR` for one that needs what is neither in the DAR nor held.
 */
export function uploadedPackages(bytes: Uint8Array, held: PackageStore): HeldPackage[] {
  try {
    const { main, dependencies } = readDar(bytes)
    const packages = [main, ...dependencies].map(
      (payload) => held.get(payload.packageId) ?? HeldPackage.fromPayload(payload),
    )
    const together = held.with(packages)
    for (const item of packages) if (!held.get(item.id)) validate(item, together)
    return packages
  } catch (error) {
    if (error instanceof ArchiveError) throw refusalOf(error)
    throw error
  }
}

function refusalOf({ problem, message }: ArchiveError): LedgerError {
  if (problem === 'DAR') {
    return invalidDar('service', 'Dar file is corrupt', {
      context: { entries: 'List()', throwable: message },
      definite: 'unsaid',
    })
  }
  return darParseError('service', `Failed to parse the dar file content. ${message}`, { definite: 'unsaid' })
}

/** Everything in the package can be read, and refers to packages that are there. */
function validate(item: HeldPackage, packages: PackageStore): void {
  const { name, version } = item
  const content = contentOf(item)
  const unknown = content.dependencies.find((id) => !packages.get(id))
  if (unknown !== undefined)
    throw invalid(`package ${name} ${version} (${item.id}) refers to unknown package ${unknown}`)
  try {
    for (const { argument } of packages.templatesOf(item)) void argument.fields
  } catch (error) {
    if (error instanceof EvaluationFailure) throw invalid(`package ${name} ${version} (${item.id}): ${error.message}`)
    throw error
  }
}

function contentOf(item: HeldPackage): Package {
  try {
    return item.content
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw new ArchiveError(error.problem, `package ${item.name} ${item.version} (${item.id}): ${error.message}`)
  }
}

const invalid = (problem: string): LedgerError =>
  darValidationError('service', `Package validation failed: ${problem}`, { definite: 'unsaid' })
