/**
 * Interpretation and routing in the passes of the reference participant 3.5.10. If routing fails, a second pass checks
 * all informees and packages, and its error replaces the first one.
 */
import type { DamlIdentifier, DamlValue } from '../../../interface/daml-value.js'
import { LedgerError } from '../../base/errors.js'
import type { Slices } from '../../base/slices.js'
import type { Disclosed } from '../contracts/contract.js'
import type { LedgerCommand } from '../interpret/command.js'
import { interpret } from '../interpret/interpreter.js'
import { freshSeeding } from '../state/entropy.js'
import type { Ledger } from '../state/ledger.js'
import type { Route, Synchronizer } from '../state/ledger-state.js'
import { isUnderKey, type LedgerView } from '../state/ledger-view.js'
import { contractChanges, type Interpretation } from '../transactions/transaction.js'
import { fewestReassignments, type Roles, route, synchronizersFor } from './route.js'
import {
  disclosedApart,
  disclosedElsewhere,
  packageSelectionFailed,
  prescribedUnusable,
} from './synchronizer-errors.js'

interface PackageChoice {
  /** Package names in the template ids of the commands. */
  packageNames: readonly string[]
  /** Ids of preferred packages. */
  preference: readonly string[]
}

/** What a submission states beside its commands. */
export interface CommandCircumstances extends PackageChoice {
  actAs: readonly string[]
  readAs: readonly string[]
  disclosed: readonly Disclosed[]
  /** A synchronizer id; empty: none. */
  prescribed: string
  /** Skips the second pass. */
  onePass?: boolean
}

export interface CommandRequest extends CommandCircumstances {
  commands: readonly LedgerCommand[]
}

interface Circumstances {
  now: bigint
  /** Ledger time, in microseconds. */
  effectiveAt: bigint
  /** The acting parties sign, so none of them is a submitter. */
  signed: boolean
}

/**
 * Throws `LedgerError`; changes nothing.
 * @example
 * const { interpretation, route } = yield* interpretAndRoute(ledger, request, circumstances)
 * route.synchronizer.id // of the synchronizer that commits it
 */
export function* interpretAndRoute(
  ledger: Ledger,
  request: CommandRequest,
  { now, effectiveAt, signed }: Circumstances,
): Slices<{ interpretation: Interpretation; route: Route }> {
  const { commands, actAs, readAs, disclosed, prescribed } = request
  const ownSubmitters = (parties: readonly string[]): readonly string[] => (signed ? [] : parties)
  const [first] = actAs
  if (first !== undefined)
    synchronizersFor(ledger, { submitters: ownSubmitters([first]), informees: [first] }, prescribed)
  const interpretation = yield* interpret(
    commands,
    { actAs, readAs, disclosed: new Set(disclosed.map(({ contract }) => contract.id)) },
    viewWith(ledger, disclosed, (name) => ledger.resolve(name, request.preference)),
    effectiveAt,
    freshSeeding(ledger.entropy, now),
  )
  const routing = {
    submitters: ownSubmitters(actAs),
    readers: [...actAs, ...readAs],
    prescribed: prescribedByDisclosure(prescribed, disclosed, interpretation),
  }
  try {
    return { interpretation, route: route(ledger, routing, interpretation) }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    if (needsSecondPass(request, interpretation)) {
      const informees = [...new Set([...actAs.slice(0, 1), ...interpretation.informees])]
      runSecondPass(ledger, request, interpretation, {
        submitters: ownSubmitters(authorizersOf(interpretation)),
        informees,
      })
    }
    throw new LedgerError({ ...error.details, origin: 'routing', context: {} })
  }
}

/** Disclosed contracts count as active; `acquire` checks that later. */
export function viewWith(ledger: Ledger, disclosed: readonly Disclosed[], resolve: LedgerView['resolve']): LedgerView {
  const byId = new Map(disclosed.map((one) => [one.contract.id, one]))
  return {
    packages: ledger.packages,
    protocolVersion: ledger.protocolVersion,
    resolve,
    isVisible: ledger.decisions.isVisible,
    contract: (id: string) => {
      const own = byId.get(id)
      own?.authenticate?.()
      return ledger.contract(id) ?? own?.contract
    },
    contractsByKey: (template: DamlIdentifier, key: DamlValue) => [
      ...disclosed.flatMap(({ contract }) => (isUnderKey(contract, template, key) ? [contract] : [])),
      ...ledger.contractsByKey(template, key).filter(({ id }) => !byId.has(id)),
    ],
  }
}

/** The synchronizer of used disclosed contracts counts as prescribed. */
function prescribedByDisclosure(
  prescribed: string,
  disclosed: readonly Disclosed[],
  { nodes }: Interpretation,
): string {
  const { created } = contractChanges(nodes)
  const used = new Set(nodes.map(({ contract }) => contract.id).filter((id) => !created.has(id)))
  const placed = disclosed.filter(({ contract, synchronizerId }) => used.has(contract.id) && synchronizerId !== '')
  const [first] = placed
  if (!first) return prescribed
  if (placed.some(({ synchronizerId }) => synchronizerId !== first.synchronizerId)) throw disclosedApart(placed)
  if (prescribed !== '' && prescribed !== first.synchronizerId) throw disclosedElsewhere(prescribed, first)
  return first.synchronizerId
}

/** Whether informees or packages remain unchecked after the first pass. */
function needsSecondPass(
  { actAs, packageNames, onePass }: CommandRequest,
  { informees, nodes }: Interpretation,
): boolean {
  if (onePass) return false
  const [first] = actAs
  return (
    informees.some((party) => party !== first) ||
    nodes.some(({ contract }) => !packageNames.includes(contract.packageName))
  )
}

/** Throws `LedgerError` if no synchronizer fits. */
function runSecondPass(
  ledger: Ledger,
  { packageNames, preference, actAs, readAs, prescribed }: CommandRequest,
  interpretation: Interpretation,
  roles: Roles,
): void {
  const candidates = synchronizersFor(ledger, roles, prescribed)
  const fit = candidates.filter((item) => vetsOneOfEach(ledger, { packageNames, preference }, item))
  if (fit.length > 0) {
    fewestReassignments(ledger, [...actAs, ...readAs], interpretation, fit)
    return
  }
  const problems = candidates.map((item) => `${ledger.shownId(item)}: a named package is not vetted`)
  throw prescribed === '' ? packageSelectionFailed(problems) : prescribedUnusable(prescribed, problems.join(', '))
}

export const vetsOneOfEach = (
  ledger: Ledger,
  { packageNames, preference }: PackageChoice,
  synchronizer: Synchronizer,
): boolean => packageNames.every((name) => ledger.candidates(name, preference, synchronizer).length > 0)

/** Authorizers of the root nodes. */
function authorizersOf({ nodes }: Interpretation): string[] {
  const needed = new Set<string>()
  let below = -1
  for (const node of nodes) {
    if (node.id <= below || node.kind === 'fetch') continue
    if (node.kind === 'exercise') below = node.lastDescendant
    for (const party of node.kind === 'exercise' ? node.acting : node.contract.signatories) needed.add(party)
  }
  return [...needed]
}
