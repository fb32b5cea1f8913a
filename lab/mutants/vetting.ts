import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import type { VettedPackage } from '../../simulator/ledger/packages/package-store.js'
import type { VettingState } from '../../simulator/ledger/packages/vetting.js'
import type { Stage } from '../../simulator/participant/participant.js'
import { bodyOf, changeMembers, codeOf, listOf, withBody, without } from '../interceptors/bodies.js'
import { alterAnswers, alterMembers, runAfter } from '../interceptors/interceptors.js'
import { vet } from '../interceptors/names.js'
import { restoreVetting, vettingOf } from '../interceptors/participant-state.js'
import { Load } from './intermittent.js'
import { delays } from './late-effects.js'
import { fault, type Mutant } from './mutant.js'

const lateDryRun = (milliseconds: number): Mutant => ({
  name: `dry-run-applied-${milliseconds}`,
  sentence: `A dry run is applied ${milliseconds} milliseconds later.`,
  ...fault(vet, 'VET-DRY-RUN-NO-EFFECT', 'later'),
  interceptor: runAfter([vet], (request, answer, stage) => {
    const body = bodyOf(request)
    if (answer.status !== 200 || body?.['dryRun'] !== true) return
    stage.later(milliseconds, () => stage.handle(withBody(request, { ...body, dryRun: false })))
  }),
})

const withKnownPackages = (value: JsonValue, { participant }: Stage, length: number): JsonValue => {
  const known = vettingOf(participant).flatMap(({ packages }) => packages.map(({ packageId }) => packageId))
  return changeMembers(value, ['packageId'], (id) =>
    typeof id === 'string' ? (known.find((one) => one.slice(0, length) === id.slice(0, length)) ?? id) : id,
  )
}

const unboundedEntry = (entry: JsonValue): JsonValue =>
  isJsonObject(entry) ? { ...entry, validFromInclusive: null, validUntilExclusive: null } : entry

export const wrongVetting: readonly Mutant[] = [
  ...delays.map(lateDryRun),
  {
    name: 'vetting-undone-later',
    sentence: 'An update is reverted half a second after its response.',
    ...fault(vet, 'VET-PURPOSE', 'later'),
    interceptor: (stage) => async (request) => {
      const before = vettingOf(stage.participant)
      const answer = await stage.handle(request)
      if (request.operation === vet && answer.status === 200)
        stage.later(500, () => restoreVetting(stage.participant, before))
      return answer
    },
  },
  {
    name: 'changes-of-others-lost',
    sentence: 'An update starts from the state before the previous update, which is lost.',
    ...fault(vet, 'VET-UNCHANGED-KEPT', 'vetting'),
    interceptor: (stage) => {
      let before: readonly VettingState[] | undefined
      return async (request) => {
        if (request.operation !== vet || bodyOf(request)?.['dryRun'] === true) return stage.handle(request)
        const now = vettingOf(stage.participant)
        // The answer is correct; the stored state is wrong.
        const answer = await stage.handle(request)
        const changed = vettingOf(stage.participant).some((state, index) => state !== now[index])
        if (answer.status === 200 && changed && before) {
          restoreVetting(stage.participant, before)
          await stage.handle(withBody(request, { ...bodyOf(request), expectedTopologySerial: null }))
        }
        if (changed) before = now
        return answer
      }
    },
  },
  {
    name: 'past-state-omitted',
    sentence: 'pastVettedPackages is always omitted, although a state existed before.',
    ...fault(vet, 'VET-PAST-STATE', 'answer'),
    interceptor: alterAnswers([vet], (answer) =>
      isJsonObject(answer) ? without('pastVettedPackages')(answer) : answer,
    ),
  },
  {
    name: 'bounds-of-others-forgotten',
    sentence: 'An applied update removes the validity bounds of packages that it does not change.',
    ...fault(vet, 'VET-UNCHANGED-KEPT', 'vetting'),
    interceptor: runAfter([vet], (request, answer, { participant: { ledger } }) => {
      const body = bodyOf(request)
      if (answer.status !== 200 || body?.['dryRun'] === true) return
      const changes = JSON.stringify(body?.['changes'] ?? null)
      const unbounded = ({ packageId, ...bounds }: VettedPackage): VettedPackage =>
        changes.includes(packageId) ? { packageId, ...bounds } : { packageId }
      for (const one of ledger.synchronizers)
        one.vetting = { ...one.vetting, packages: one.vetting.packages.map(unbounded) }
    }),
  },
  {
    name: 'bounds-of-others-not-shown',
    sentence: 'newVettedPackages shows validity bounds only of packages that the update changes.',
    ...fault(vet, 'VET-UNCHANGED-KEPT', 'answer'),
    interceptor: alterAnswers([vet], (answer, { changes = null }) => {
      const text = JSON.stringify(changes)
      return changeMembers(answer, ['newVettedPackages'], (state) =>
        changeMembers(state, ['packages'], (list) =>
          listOf(list).map((one) => (text.includes(String(valueAt(one, '/packageId'))) ? one : unboundedEntry(one))),
        ),
      )
    }),
  },
  {
    name: 'packages-compared-by-prefix',
    sentence: 'A package reference matches a package whose id begins with the same 60 digits.',
    ...fault(vet, 'VET-PURPOSE', 'acceptance'),
    interceptor: (stage) => alterMembers([vet], ['changes'], (changes) => withKnownPackages(changes, stage, 60))(stage),
  },
  {
    name: 'second-change-dropped',
    sentence: 'Only the first of several changes is applied.',
    ...fault(vet, 'VET-CHANGES-IN-ORDER', 'vetting'),
    interceptor: alterMembers([vet], ['changes'], (list) => (Array.isArray(list) ? list.slice(0, 1) : list)),
  },
  {
    name: 'both-racing-changes-accepted',
    sentence: 'Two concurrent updates with the same expected serial are both accepted.',
    ...fault(vet, 'VET-SERIAL-GUARD', 'race'),
    interceptor: (stage) => {
      const load = new Load()
      return async (request) => {
        if (request.operation !== vet) return stage.handle(request)
        const isConcurrent = load.begin()
        try {
          const answer = await stage.handle(request)
          if (!isConcurrent || codeOf(answer) !== 'TOPOLOGY_SERIAL_MISMATCH') return answer
          return await stage.handle(withBody(request, { ...bodyOf(request), expectedTopologySerial: null }))
        } finally {
          load.end()
        }
      }
    },
  },
]
