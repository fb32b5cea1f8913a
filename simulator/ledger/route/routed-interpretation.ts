/**
 * Commands are interpreted and their transaction finds its synchronizer in the passes of the reference participant 3.5.10.
 * The first knows only who submits; where the transaction then finds no place, a second asks for a place for everybody who
 * learns of it, and only a transaction that passes this too is refused for what was in its way at first.
 */
import type { DamlIdentifier, DamlValue } from '../../../interface/daml-value.js'
import { LedgerError } from '../../base/errors.js'
import type { Slices } from '../../base/slices.js'
import type { Contract } from '../contracts/contract.js'
import type { Disclosed } from '../contracts/disclosed.js'
import type { LedgerCommand } from '../interpret/command.js'
import { interpret } from '../interpret/interpreter.js'
import type { Ledger } from '../state/ledger.js'
import { isUnderKey, type LedgerView } from '../state/ledger-view.js'
import { freshSeeding } from '../state/seeding.js'
import type { Route, Synchronizer } from '../state/synchronizer.js'
import { contractChanges, type Interpretation } from '../transactions/transaction.js'
import { type Roles, synchronizersFor } from './admissible-synchronizers.js'
import { leastMoves, route } from './route.js'
import {
  disclosedApart,
  disclosedElsewhere,
  packageSelectionFailed,
  prescribedUnusable,
} from './synchronizer-errors.js'

export interface CommandRequest {
  commands: readonly LedgerCommand[]
  /** Package names by which the commands name their templates. */
  packageNames: readonly string[]
  actAs: readonly string[]
  readAs: readonly string[]
  disclosed: readonly Disclosed[]
  /** Ids of packages that are preferred among the versions of their name. */
  preference: readonly string[]
  /** Id of the synchronizer that is asked for; empty: none is. */
  prescribed: string
  /** There is to be no second pass. */
  onePass?: boolean
}

interface Circumstances {
  now: bigint
  /** Ledger time, in microseconds. */
  effectiveAt: bigint
  /** The acting parties sign themselves, so this participant submits for nobody. */
  signed: boolean
}

/** What the commands do, and where. Throws `LedgerError`; changes nothing. */
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
  const contracts = disclosed.map(({ contract }) => contract)
  const interpretation = yield* interpret(
    commands,
    { actAs, readAs, disclosed: new Set(contracts.map(({ id }) => id)) },
    viewWith(ledger, contracts, (name) => ledger.resolve(name, request.preference)),
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
    if (needsMore(request, interpretation)) {
      const informees = [...new Set([...actAs.slice(0, 1), ...interpretation.informees])]
      passAgain(ledger, request, interpretation, {
        submitters: ownSubmitters(authorizersOf(interpretation)),
        informees,
      })
    }
    throw new LedgerError({ ...error.details, origin: 'routing', context: {} })
  }
}

/** The ledger, with the disclosed contracts as if they were active: whether they are is only seen at the end. */
export function viewWith(ledger: Ledger, disclosed: readonly Contract[], resolve: LedgerView['resolve']): LedgerView {
  const byId = new Map(disclosed.map((contract) => [contract.id, contract]))
  return {
    packages: ledger.packages,
    protocolVersion: ledger.protocolVersion,
    resolve,
    isVisible: ledger.decisions.isVisible,
    contract: (id: string) => ledger.contract(id) ?? byId.get(id),
    contractsByKey: (template: DamlIdentifier, key: DamlValue) => [
      ...disclosed.filter((one) => isUnderKey(one, template, key)),
      ...ledger.contractsByKey(template, key).filter(({ id }) => !byId.has(id)),
    ],
  }
}

/** The synchronizer that the used ones of the disclosed contracts name counts as asked for. */
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

/** Whether the transaction asks more of the topology than was asked before it was known, and that may still be asked. */
function needsMore({ actAs, packageNames, onePass }: CommandRequest, { informees, nodes }: Interpretation): boolean {
  if (onePass) return false
  const [first] = actAs
  return (
    informees.some((party) => party !== first) ||
    nodes.some(({ contract }) => !packageNames.includes(contract.packageName))
  )
}

/** Throws `LedgerError` where the parties, the packages that were named, or the contracts find no place together. */
function passAgain(
  ledger: Ledger,
  { packageNames, actAs, readAs, prescribed }: CommandRequest,
  interpretation: Interpretation,
  roles: Roles,
): void {
  const candidates = synchronizersFor(ledger, roles, prescribed)
  const fit = candidates.filter((item) => vetsOneOfEach(ledger, packageNames, item))
  if (fit.length > 0) {
    leastMoves(ledger, [...actAs, ...readAs], interpretation, fit)
    return
  }
  const problems = candidates.map((item) => `${ledger.shownId(item)}: a named package is not vetted`)
  throw prescribed === '' ? packageSelectionFailed(problems) : prescribedUnusable(prescribed, problems.join(', '))
}

/** Whether of each name some version is vetted on the synchronizer. */
export const vetsOneOfEach = (ledger: Ledger, names: readonly string[], synchronizer: Synchronizer): boolean =>
  names.every((name) => ledger.packages.versionsOf(name).some(({ id }) => ledger.isVetted(id, synchronizer)))

/** Whose authority the roots of a transaction need. */
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
