/** Participants that do other things to vetting than they say. */
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import type { VettingState } from '../ledger/state/synchronizer.js'
import type { Stage } from '../participant/participant.js'
import { afterwards, alteringRequests, answerOf, bodyOf, withBody } from './alterations.js'
import { Load } from './intermittent.js'
import type { Mutant } from './mutant.js'
import { delays } from './refusals.js'

const operation = 'update-package-vetting'

const lateDryRun = (milliseconds: number): Mutant => ({
  name: `dry-run-applied-${milliseconds}`,
  sentence: `A dry run is applied ${milliseconds} milliseconds later.`,
  rule: 'VET-DRY-RUN-NO-EFFECT',
  operation: 'update-package-vetting',
  shows: 'later',
  interceptor: afterwards([operation], (request, answer, stage) => {
    const body = bodyOf(request)
    if (answer.status !== 200 || body?.['dryRun'] !== true) return
    stage.later(milliseconds, () => stage.handle(withBody(request, { ...body, dryRun: false })))
  }),
})

const stateOf = ({ participant: { ledger } }: Stage): readonly VettingState[] =>
  ledger.synchronizers.map(({ vetting }) => vetting)

function putBack({ participant: { ledger } }: Stage, states: readonly VettingState[]): void {
  for (const [index, vetting] of states.entries()) {
    const synchronizer = ledger.synchronizers[index]
    if (synchronizer) synchronizer.vetting = vetting
  }
}

const undoneLater: Mutant = {
  name: 'vetting-undone-later',
  sentence: 'An update is reverted half a second after its response.',
  rule: 'VET-PURPOSE',
  operation: 'update-package-vetting',
  shows: 'later',
  interceptor: (stage) => async (request) => {
    const before = stateOf(stage)
    const answer = await stage.handle(request)
    if (request.operation === operation && answer.status === 200) stage.later(500, () => putBack(stage, before))
    return answer
  },
}

const othersLost: Mutant = {
  name: 'changes-of-others-lost',
  sentence: 'An update starts from the state before the previous update, which is lost.',
  rule: 'VET-UNCHANGED-KEPT',
  operation: 'update-package-vetting',
  shows: 'vetting',
  interceptor: (stage) => {
    let before: readonly VettingState[] | undefined
    return async (request) => {
      if (request.operation !== operation || bodyOf(request)?.['dryRun'] === true) return stage.handle(request)
      const now = stateOf(stage)
      // The answer tells the state that was there; only what is written is wrong.
      const answer = await stage.handle(request)
      const changed = stateOf(stage).some((state, index) => state !== now[index])
      if (answer.status === 200 && changed && before) {
        putBack(stage, before)
        await stage.handle(withBody(request, { ...bodyOf(request), expectedTopologySerial: null }))
      }
      if (changed) before = now
      return answer
    }
  },
}

const onlyFirst = (changes: JsonValue | undefined): JsonValue =>
  Array.isArray(changes) ? changes.slice(0, 1) : (changes ?? [])

const dropped: Mutant = {
  name: 'second-change-dropped',
  sentence: 'Only the first of several changes is applied.',
  rule: 'VET-CHANGES-IN-ORDER',
  operation: 'update-package-vetting',
  shows: 'vetting',
  interceptor: alteringRequests([operation], (body: JsonObject) =>
    'changes' in body ? { ...body, changes: onlyFirst(body['changes']) } : body,
  ),
}

const bothRacing: Mutant = {
  name: 'both-racing-changes-accepted',
  sentence: 'Two concurrent updates with the same expected serial are both accepted.',
  rule: 'VET-SERIAL-GUARD',
  operation: 'update-package-vetting',
  shows: 'race',
  interceptor: (stage) => {
    const load = new Load()
    return async (request) => {
      if (request.operation !== operation) return stage.handle(request)
      const isFelt = load.begins()
      try {
        const answer = await stage.handle(request)
        if (!isFelt || answerOf(answer)?.['code'] !== 'TOPOLOGY_SERIAL_MISMATCH') return answer
        return await stage.handle(withBody(request, { ...bodyOf(request), expectedTopologySerial: null }))
      } finally {
        load.ends()
      }
    }
  },
}

export const otherVetting: readonly Mutant[] = [...delays.map(lateDryRun), undoneLater, othersLost, dropped, bothRacing]
