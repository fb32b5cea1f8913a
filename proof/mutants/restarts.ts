/** Mutants that restart and lose a part of their state. */
import { answerOf } from '../interceptors/bodies.js'
import { runAfter } from '../interceptors/interceptors.js'
import { fault, type Mutant } from './mutant.js'

/** Milliseconds between restarts. */
const uptime = 2000

export const restartedMutants: readonly Mutant[] = [
  {
    name: 'changes-lost-in-restarts',
    sentence: 'The participant restarts every two seconds and loses its accepted change ids.',
    ...fault('submit-and-wait', 'SAW-DEDUPLICATION-WINDOW', 'repetition'),
    interceptor: (stage) => {
      let isRunning = false
      return (request) => {
        if (!isRunning) {
          isRunning = true
          stage.later(uptime, () => {
            stage.participant.ledger.state.acceptedChanges.clear()
            isRunning = false
          })
        }
        return stage.handle(request)
      }
    },
  },
  {
    name: 'transactions-lost-in-restarts',
    sentence:
      'The participant restarts two seconds after a submission and loses its transaction, which was visible before.',
    ...fault('submit-and-wait', 'SAW-UPDATE-ID', 'later'),
    interceptor: runAfter(['submit-and-wait'], (_request, answer, stage) => {
      const updateId = answerOf(answer)?.['updateId']
      if (typeof updateId === 'string')
        stage.later(uptime, () => stage.participant.ledger.state.transactions.delete(updateId))
    }),
  },
]
