import { grammars } from '../../interface/grammars.js'
import { isInstant, printInstant } from '../../lib/json/instant.js'
import type { JsonObject } from '../../lib/json/json.js'
import { demandUser } from '../auth/caller.js'
import { checkArgument, checkField, checkOptionalField } from '../base/checks.js'
import { invalidField, missingField, packageNamesNotFound, undecodable } from '../base/errors.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint } from '../http/endpoint.js'
import { absentable, type DecodedBy, list, message, optional, text } from '../json/decode.js'
import { instant, parseInstant } from '../json/times.js'
import type { HeldPackage } from '../ledger/packages/package-store.js'
import { synchronizersFor } from '../ledger/route/route.js'
import { noPreferredPackages } from '../ledger/route/synchronizer-errors.js'
import type { Ledger } from '../ledger/state/ledger.js'
import { preferredFirst, type Synchronizer } from '../ledger/state/ledger-state.js'

interface Preference {
  packages: HeldPackage[]
  synchronizer: Synchronizer
}

const preferredPackagesBody = message({
  packageVettingRequirements: optional(
    list(message({ parties: optional(list(text), []), packageName: optional(text, '') })),
    [],
  ),
  // Empty: any.
  synchronizerId: optional(text, ''),
  // Microseconds since 1970; undefined: now.
  vettingValidAt: absentable(instant),
})

type Question = DecodedBy<typeof preferredPackagesBody>

const preferredPackages = endpoint({
  method: 'post',
  path: '/v2/interactive-submission/preferred-packages',
  body: preferredPackagesBody,
  handle: ({ participant: { ledger }, caller, body }) => {
    demandUser(caller)
    const found = preferenceFor(body, ledger)
    if (!found) throw noPreferredPackages(problems(body, ledger))
    return ok({ packageReferences: found.packages.map(reference), synchronizerId: found.synchronizer.id })
  },
})

/** Deprecated: one package, or null. */
const preferredPackageVersion = endpoint({
  method: 'get',
  path: '/v2/interactive-submission/preferred-package-version',
  handle: ({ participant: { ledger }, caller, query }) => {
    demandUser(caller)
    const [packageName, ...more] = query.getAll('package-name')
    if (packageName === undefined) throw undecodable('query parameter package-name (missing)')
    if (more.length > 0) throw undecodable('query parameter package-name (multiple values)')
    const found = preferenceFor(
      {
        packageVettingRequirements: [{ packageName, parties: query.getAll('parties') }],
        synchronizerId: query.get('synchronizer-id') ?? '',
        vettingValidAt: instantIn(query.get('vetting_valid_at')),
      },
      ledger,
    )
    const [only] = found?.packages ?? []
    const packagePreference =
      found && only ? { packageReference: reference(only), synchronizerId: found.synchronizer.id } : null
    return ok({ packagePreference })
  },
})

function instantIn(given: string | null): bigint | undefined {
  const found = given === null ? undefined : parseInstant(given)
  if (given !== null && found === undefined) throw undecodable('query parameter vetting_valid_at')
  return found
}

const reference = ({ id, name, version }: HeldPackage): JsonObject => ({
  packageId: id,
  packageName: name,
  packageVersion: version,
})

/** Throws the `LedgerError` of a submission. */
function preferenceFor(question: Question, ledger: Ledger): Preference | undefined {
  refuseBadQuestion(question)
  const names = [...new Set(question.packageVettingRequirements.map(({ packageName }) => packageName))]
  const unknown = names.filter((name) => ledger.packages.versionsOf(name).length === 0)
  if (unknown.length > 0) {
    const problem = 'The following package names do not match upgradable packages uploaded on this participant'
    throw packageNamesNotFound('service', `${problem}: [${unknown.join(', ')}].`)
  }
  for (const synchronizer of candidates(question, ledger)) {
    const chosen = names.map((name) => newestVetted(name, synchronizer, question, ledger))
    const packages = chosen.filter((found) => found !== undefined)
    if (packages.length === names.length) return { packages, synchronizer }
  }
  return undefined
}

const candidates = (
  { packageVettingRequirements: requirements, synchronizerId }: Question,
  ledger: Ledger,
): Synchronizer[] => {
  const informees = [...new Set(requirements.flatMap(({ parties }) => parties))]
  return preferredFirst(synchronizersFor(ledger, { submitters: [], informees }, synchronizerId))
}

const newestVetted = (name: string, synchronizer: Synchronizer, { vettingValidAt }: Question, ledger: Ledger) =>
  ledger.candidates(name, [], synchronizer, vettingValidAt)[0]

const problems = (question: Question, ledger: Ledger): string[] =>
  candidates(question, ledger).map((synchronizer) => `${ledger.shownId(synchronizer)}: a named package is not vetted`)

function refuseBadQuestion({
  packageVettingRequirements: requirements,
  synchronizerId,
  vettingValidAt,
}: Question): void {
  if (requirements.length === 0)
    throw missingField('service', 'package_vetting_requirements/packageVettingRequirements')
  for (const { packageName, parties } of requirements) {
    if (packageName === '') throw missingField('service', 'package_name/packageName')
    checkField('service', 'package_name/packageName', grammars.packageName, packageName)
    if (parties.length === 0) throw missingField('service', 'parties')
    for (const party of parties) checkArgument('service', grammars.partyId, party)
  }
  checkOptionalField('service', 'synchronizer_id/synchronizerId', grammars.synchronizerId, synchronizerId)
  if (vettingValidAt !== undefined && !isInstant(vettingValidAt)) {
    const problem = `cannot convert instant ${printInstant(vettingValidAt)} into Timestamp`
    throw invalidField('service', 'vetting_valid_at/vettingValidAt', problem)
  }
}

export const preferenceEndpoints: readonly Endpoint[] = [preferredPackages, preferredPackageVersion]
