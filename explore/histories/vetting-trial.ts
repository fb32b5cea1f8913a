/** Several change what is vetted at once: each sees what those before it left, and none is lost. */

import type { JsonValue } from '../../lib/json/json.js'
import type { Data } from '../../record/types/resolved-row.js'
import { valueAt } from '../../runner/template/pointer.js'
import { outcomeOf } from '../compare/compare-answers.js'
import { turnOf } from '../generate/draft-step.js'
import { variable } from '../generate/variable.js'
import { listVetted, restoringVetting, type VettedPackage } from '../generate/vetting.js'
import type { MakeRound, Round } from './trial.js'

type Input = { vet: boolean; id: string; guarded: boolean } | 'look'
interface Output {
  isAccepted: boolean
  /** Of the packages that the round is about, those that are vetted. */
  past?: string
  vetted?: string
  serial?: number
}
/** The serial is that of the last answer; undefined: none has been seen. */
interface State {
  vetted: string
  serial: number | undefined
}

const clients = 5

export const vettingRound =
  (packages: readonly VettedPackage[]): MakeRound =>
  (random) => {
    const own = packages.filter(
      ({ name, isVetted }) => (isVetted && name === 'conformance-effects') || name === 'conformance-limits',
    )
    const ids = own.map(({ id }) => id)
    const restoring = restoringVetting(packages, ['synchronizerId']).map(({ turn }) => turn)
    const round: Round<State, Input, Output> = {
      name: 'vetting',
      rules: ['VET-NEW-STATE', 'VET-PAST-STATE', 'VET-SERIAL-GUARD', 'VET-CHANGES-IN-ORDER'],
      sentence: 'Changes of vetting come one after the other: each begins with what the one before left.',
      // Someone else may have been interrupted before he had put back what he changed.
      setUp: [...restoring, { ...listVetted().turn, capture: { serial: '/vettedPackages/0/topologySerial' } }],
      operations: Array.from({ length: clients }, (_, client) => [change(client), change(client)]).flat(),
      fence: [{ turn: listVetted().turn, input: 'look' }],
      read: (input, told) => readOutput(input, told.answer?.json, outcomeOf(told), ids),
      model: {
        initial: { vetted: [...ids].sort().join(), serial: undefined },
        keyOf: ({ vetted, serial }) => `${vetted} ${serial}`,
        step,
      },
      restore: restoring,
    }
    return round as Round // what is read and what is stepped are of one round

    function change(client: number) {
      const [vet, id, guarded] = [random.chance(0.5), random.pick(ids), random.chance(0.15)]
      const value = { packages: [{ packageId: id, packageName: '', packageVersion: '' }] }
      const operation: Data = vet
        ? { Vet: { value: { ...value, newValidFromInclusive: null, newValidUntilExclusive: null } } }
        : { Unvet: { value } }
      const name = own.find((one) => one.id === id)?.name ?? id
      const turn = turnOf({
        about: `${vet ? 'vet' : 'unvet'} ${name.replace('conformance-', '')}${guarded ? ', with a serial' : ''}`,
        operation: 'update-package-vetting',
        actor: 'administrator',
        body: {
          ...{ changes: [{ operation }], synchronizerId: variable('synchronizerId') },
          ...(guarded && { expectedTopologySerial: { serial: { Prior: { value: variable('serial') } } } }),
        },
      })
      return { client, input: { vet, id, guarded }, turn }
    }
  }

function readOutput(
  input: Input,
  answer: JsonValue | undefined,
  outcome: string,
  ids: readonly string[],
): Output | undefined {
  if (outcome === 'refused') return { isAccepted: false }
  if (outcome !== 'accepted') return undefined
  const state = input === 'look' ? valueAt(answer, '/vettedPackages/0') : valueAt(answer, '/newVettedPackages')
  const vetted = vettedIn(state, ids)
  const serial = valueAt(state, '/topologySerial')
  // Whoever does not tell of it may: what each answer must have is looked at where one asks alone.
  const before = valueAt(answer, '/pastVettedPackages') ?? undefined
  const past = before === undefined ? undefined : vettedIn(before, ids)
  return {
    isAccepted: true,
    vetted,
    ...(past !== undefined && { past }),
    ...(typeof serial === 'number' && { serial }),
  }
}

function vettedIn(state: JsonValue | undefined, ids: readonly string[]): string {
  const listed = valueAt(state, '/packages')
  const found = (Array.isArray(listed) ? listed : []).map((item) => String(valueAt(item, '/packageId')))
  return found
    .filter((id) => ids.includes(id))
    .sort()
    .join()
}

function step(state: State, input: Input, output: Output): State[] {
  // Others may change other packages, and contention is no fault: serials only grow, and a refusal changes nothing.
  if (!output.isAccepted) return [state]
  const { vetted = '', past, serial = state.serial } = output
  const isLater = state.serial === undefined || serial === undefined || serial >= state.serial
  if (input === 'look') return vetted === state.vetted && isLater ? [state] : []
  const after = applied(state.vetted, input)
  const hasRisen = after === state.vetted || state.serial === undefined || serial === undefined || serial > state.serial
  const fits = (past === undefined || past === state.vetted) && vetted === after && isLater && hasRisen
  return fits ? [{ vetted: after, serial }] : []
}

function applied(vetted: string, { vet, id }: { vet: boolean; id: string }): string {
  const others = vetted.split(',').filter((one) => one !== '' && one !== id)
  return (vet ? [...others, id] : others).sort().join()
}
