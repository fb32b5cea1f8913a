/** Several clients change vetting at once. */
import { boolean, constantFrom } from 'fast-check'
import type { JsonValue } from '../../lib/json/json.js'
import type { Data } from '../../record/types/resolved-row.js'
import { valueAt } from '../../runner/template/pointer.js'
import { outcomeOf } from '../compare/compare-answers.js'
import { stepOf, variable } from '../generate/draft-step.js'
import { chance } from '../generate/draw.js'
import { listVetted, packageReference, restoringVetting, type VettedPackage } from '../generate/vetting.js'
import type { MakeTrial, Trial } from './trial.js'

type Input = { isVet: boolean; id: string; isGuarded: boolean } | 'read'
interface Output {
  isAccepted: boolean
  /** Joined package ids: vetted before, and after the change. */
  past?: string
  vetted?: string
  serial?: number
}
interface State {
  vetted: string
  serial: number | undefined
}

const clients = 5

export const vettingTrial =
  (packages: readonly VettedPackage[]): MakeTrial =>
  (draw) => {
    const own = packages.filter(
      ({ name, isVetted }) => (isVetted && name === 'conformance-effects') || name === 'conformance-limits',
    )
    const ids = own.map(({ id }) => id)
    const restore = restoringVetting(packages, ['synchronizerId']).map(({ step }) => step)
    const trial: Trial<State, Input, Output> = {
      name: 'vetting',
      rules: ['VET-NEW-STATE', 'VET-PAST-STATE', 'VET-SERIAL-GUARD', 'VET-CHANGES-IN-ORDER'],
      sentence: 'Each vetting change starts from the state that the previous change produced.',
      // An interrupted client may have changed the state.
      setup: [...restore, { ...listVetted().step, capture: { serial: '/vettedPackages/0/topologySerial' } }],
      operations: Array.from({ length: clients }, (_, client) => [change(client), change(client)]).flat(),
      finalReads: [{ step: listVetted().step, input: 'read' }],
      outputOf: (input, result) => readOutput(input, result.answer?.json, outcomeOf(result), ids),
      specification: {
        initial: { vetted: [...ids].sort().join(), serial: undefined },
        keyOf: ({ vetted, serial }) => `${vetted} ${serial}`,
        apply,
      },
      restore,
    }
    return trial as Trial // inputs and outputs belong to one trial

    function change(client: number) {
      const isVet = draw(boolean())
      const id = draw(constantFrom(...ids))
      const isGuarded = draw(chance(15))
      const value = { packages: [packageReference({ id })] }
      const operation: Data = isVet
        ? { Vet: { value: { ...value, newValidFromInclusive: null, newValidUntilExclusive: null } } }
        : { Unvet: { value } }
      const name = own.find((one) => one.id === id)?.name ?? id
      const step = stepOf({
        about: `${isVet ? 'vet' : 'unvet'} ${name.replace('conformance-', '')}${isGuarded ? ', with a serial' : ''}`,
        operation: 'update-package-vetting',
        actor: 'administrator',
        body: {
          changes: [{ operation }],
          synchronizerId: variable('synchronizerId'),
          ...(isGuarded && { expectedTopologySerial: { serial: { Prior: { value: variable('serial') } } } }),
        },
      })
      return { client, input: { isVet, id, isGuarded }, step }
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
  const state = input === 'read' ? valueAt(answer, '/vettedPackages/0') : valueAt(answer, '/newVettedPackages')
  const vetted = vettedIn(state, ids)
  const serial = valueAt(state, '/topologySerial')
  // Sequences judge an absent past state.
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

function apply(state: State, input: Input, output: Output): State[] {
  // Contention may reject any change, and other clients may raise the serial.
  if (!output.isAccepted) return [state]
  const { vetted = '', past, serial = state.serial } = output
  const isLater = state.serial === undefined || serial === undefined || serial >= state.serial
  if (input === 'read') return vetted === state.vetted && isLater ? [state] : []
  const after = applied(state.vetted, input)
  const hasRisen = after === state.vetted || state.serial === undefined || serial === undefined || serial > state.serial
  const fits = (past === undefined || past === state.vetted) && vetted === after && isLater && hasRisen
  return fits ? [{ vetted: after, serial }] : []
}

function applied(vetted: string, { isVet, id }: { isVet: boolean; id: string }): string {
  const others = vetted.split(',').filter((one) => one !== '' && one !== id)
  return (isVet ? [...others, id] : others).sort().join()
}
