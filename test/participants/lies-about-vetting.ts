/** Participants that do other things to vetting than they say. */
import type { JsonObject, JsonValue } from '../../interface/json.js'
import type { VettingState } from '../../simulator/ledger/synchronizer.js'
import { afterwards, alteringRequests, answerOf, bodyOf, withBody } from './alterations.js'
import { delays } from './lies-about-refusals.js'
import type { Lie, Stage } from './stage.js'

const operation = 'update-package-vetting'

const lateDryRun = (milliseconds: number): Lie => ({
  name: `dry-run-applied-${milliseconds}`,
  sentence: `A dry run is applied ${milliseconds} milliseconds later.`,
  rules: ['VET-DRY-RUN-NO-EFFECT'],
  tell: afterwards([operation], (asked, told, stage) => {
    const body = bodyOf(asked)
    if (told.status !== 200 || body?.['dryRun'] !== true) return
    stage.later(milliseconds, () => stage.ask(withBody(asked, { ...body, dryRun: false })))
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

const undoneLater: Lie = {
  name: 'vetting-undone-later',
  sentence: 'Half a second after a right answer vetting is as it was before.',
  rules: ['VET-PURPOSE', 'VET-NEW-STATE'],
  tell: (stage) => async (asked) => {
    const before = stateOf(stage)
    const told = await stage.ask(asked)
    if (asked.operation === operation && told.status === 200) stage.later(500, () => putBack(stage, before))
    return told
  },
}

const othersLost: Lie = {
  name: 'changes-of-others-lost',
  sentence: 'A change starts from the state before the change that came before it, which is lost.',
  rules: ['VET-UNCHANGED-KEPT'],
  tell: (stage) => {
    let before: readonly VettingState[] | undefined
    return async (asked) => {
      if (asked.operation !== operation || bodyOf(asked)?.['dryRun'] === true) return stage.ask(asked)
      const now = stateOf(stage)
      // The answer tells the state that was there; only what is written is wrong.
      const told = await stage.ask(asked)
      const changed = stateOf(stage).some((state, index) => state !== now[index])
      if (told.status === 200 && changed && before) {
        putBack(stage, before)
        await stage.ask(withBody(asked, { ...bodyOf(asked), expectedTopologySerial: null }))
      }
      if (changed) before = now
      return told
    }
  },
}

const onlyFirst = (changes: JsonValue | undefined): JsonValue =>
  Array.isArray(changes) ? changes.slice(0, 1) : (changes ?? [])

const dropped: Lie = {
  name: 'second-change-dropped',
  sentence: 'Of several changes in one request only the first is made.',
  rules: ['VET-CHANGES-IN-ORDER'],
  tell: alteringRequests([operation], (body: JsonObject) =>
    'changes' in body ? { ...body, changes: onlyFirst(body['changes']) } : body,
  ),
}

const bothRacing: Lie = {
  name: 'both-racing-changes-accepted',
  sentence: 'Of two changes at once that expect the same serial both are accepted.',
  rules: ['VET-SERIAL-GUARD'],
  tell: (stage) => {
    let running = 0
    let raced = false
    return async (asked) => {
      if (asked.operation !== operation) return stage.ask(asked)
      running += 1
      raced ||= running > 1
      try {
        const told = await stage.ask(asked)
        if (!raced || answerOf(told)?.['code'] !== 'TOPOLOGY_SERIAL_MISMATCH') return told
        return await stage.ask(withBody(asked, { ...bodyOf(asked), expectedTopologySerial: null }))
      } finally {
        running -= 1
        raced = running > 0
      }
    }
  },
}

export const liesAboutVetting: readonly Lie[] = [
  ...delays.map(lateDryRun),
  undoneLater,
  othersLost,
  dropped,
  bothRacing,
]
