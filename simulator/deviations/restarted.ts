/** Participants that are started anew while they are used, and have lost what they did not keep. */
import { answerOf } from './alterations.js'
import type { Deviation } from './deviation.js'

/** Milliseconds for which it runs. */
const life = 2000

const forgetting: Deviation = {
  name: 'changes-lost-in-restarts',
  sentence: 'The participant restarts every two seconds and loses its accepted change ids.',
  rule: 'SAW-DEDUPLICATION-WINDOW',
  operation: 'submit-and-wait',
  shows: 'repetition',
  door: (stage) => {
    let isRunning = false
    return (asked) => {
      if (!isRunning) {
        isRunning = true
        stage.later(life, () => {
          stage.participant.ledger.state.acceptedChanges.clear()
          isRunning = false
        })
      }
      return stage.ask(asked)
    }
  },
}

const losing: Deviation = {
  name: 'transactions-lost-in-restarts',
  sentence:
    'The participant restarts two seconds after a submission and loses its transaction, which was visible before.',
  rule: 'SAW-UPDATE-ID',
  operation: 'submit-and-wait',
  shows: 'later',
  door: (stage) => async (asked) => {
    const told = await stage.ask(asked)
    const updateId = asked.operation === 'submit-and-wait' && answerOf(told)?.['updateId']
    if (typeof updateId === 'string')
      stage.later(life, () => stage.participant.ledger.state.transactions.delete(updateId))
    return told
  },
}

export const restarted: readonly Deviation[] = [forgetting, losing]
