/** All mutants by name. A suite that is any good finds each of them, by a row that cites its rule. */

import { type OperationName, operations } from '../../interface/operations.js'
import { enforcedRules } from '../base/checks.js'
import { named } from '../base/named.js'
import { answerOf } from './alterations.js'
import { untrueAnswers } from './answers-untrue.js'
import { otherCallers } from './callers.js'
import { otherDecisions } from './decisions.js'
import { otherEffects } from './effects.js'
import { everyThird, underLoad } from './intermittent.js'
import { otherKinds } from './kinds.js'
import { badManners } from './manners.js'
import { alteredMembers } from './members.js'
import type { Circumstances, Mutant } from './mutant.js'
import { refusedAndDone } from './refusals.js'
import { otherMembers } from './request-members.js'
import { misheardRequests } from './requests-misheard.js'
import { otherSubmissions } from './submissions.js'
import { otherHashes, uncoveredFields } from './uncovered-fields.js'
import { otherVetting } from './vetting.js'

// Participants that are started anew while they are used, and have lost what they did not keep.

/** Milliseconds for which it runs. */
const life = 2000

const forgetting: Mutant = {
  name: 'changes-lost-in-restarts',
  sentence: 'The participant restarts every two seconds and loses its accepted change ids.',
  rule: 'SAW-DEDUPLICATION-WINDOW',
  operation: 'submit-and-wait',
  shows: 'repetition',
  interceptor: (stage) => {
    let isRunning = false
    return (request) => {
      if (!isRunning) {
        isRunning = true
        stage.later(life, () => {
          stage.participant.ledger.state.acceptedChanges.clear()
          isRunning = false
        })
      }
      return stage.handle(request)
    }
  },
}

const losing: Mutant = {
  name: 'transactions-lost-in-restarts',
  sentence:
    'The participant restarts two seconds after a submission and loses its transaction, which was visible before.',
  rule: 'SAW-UPDATE-ID',
  operation: 'submit-and-wait',
  shows: 'later',
  interceptor: (stage) => async (request) => {
    const answer = await stage.handle(request)
    const updateId = request.operation === 'submit-and-wait' && answerOf(answer)?.['updateId']
    if (typeof updateId === 'string')
      stage.later(life, () => stage.participant.ledger.state.transactions.delete(updateId))
    return answer
  },
}

const restarted: readonly Mutant[] = [forgetting, losing]

// One mutant for each check of the simulator, which skips that check.

/** Checks that only some participants make: there they are left out. */
const where: Readonly<Record<string, Circumstances>> = {
  'SAW-TAPS-LIMIT': { behaviour: 'interface' },
  'VET-CHANGES-REQUIRED': { behaviour: 'interface' },
  'VET-CHANGES-NOT-EMPTY': { behaviour: 'interface' },
  'VET-SYNCHRONIZER-AMBIGUOUS': { synchronizers: 2 },
  'VET-DEPENDENCIES': { protocolVersion: 34 },
  'EXE-HASHING-SCHEME-V3': { protocolVersion: 34 },
  'AUTH-ACT-AS': { authorization: true },
}

const operationOf: Readonly<Record<string, OperationName>> = {
  CBI: 'contract-by-id',
  SAW: 'submit-and-wait',
  EXE: 'execute-and-wait-for-transaction',
  AUTH: 'execute-and-wait-for-transaction',
  VET: 'update-package-vetting',
}

/** Optional rejections: a participant that skips one of these checks breaks no rule. */
const permissions: ReadonlySet<string> = new Set(['EXE-SINGLE-PARTY'])

/** Of the checks that have been declared until now: those of everything that serves an operation. */
const leftOutChecks = (): Mutant[] =>
  obligations().map((rule) => {
    const operation = operationOf[rule.split('-')[0] ?? '']
    if (!operation) throw new Error(`the check ${rule} belongs to none of ${Object.keys(operations).join(', ')}`)
    return {
      name: `without-${rule.toLowerCase()}`,
      rule,
      operation,
      sentence: `Check ${rule} is skipped.`,
      shows: 'acceptance',
      without: [rule],
      ...(where[rule] && { where: where[rule] }),
    }
  })

const obligations = (): string[] => enforcedRules().filter((rule) => !permissions.has(rule))

// Participants that follow the text but for one mutant: what the suite finds by the text alone.

/** The same mutant of a participant that follows the text, so that it is judged by the text alone. */
const judgedByText = (mutant: Mutant): Mutant => ({
  ...mutant,
  name: `${mutant.name}-by-the-text`,
  sentence: `Otherwise as the interface text states: ${mutant.sentence}`,
  where: { ...mutant.where, behaviour: 'interface' },
})

const always: readonly Mutant[] = [
  ...leftOutChecks(),
  ...alteredMembers,
  ...untrueAnswers,
  ...badManners,
  ...otherMembers,
  ...misheardRequests,
  ...otherCallers,
  ...otherDecisions,
  ...otherSubmissions,
  ...otherVetting,
  ...otherEffects,
  ...refusedAndDone,
  ...uncoveredFields,
  ...otherHashes,
  ...restarted,
  ...otherKinds,
]

const nowAndThen: readonly Mutant[] = [
  ...[
    'looked-up-contract-id-of-another',
    'everything-found',
    'any-body-read',
    'cut-short-submit-and-wait',
    'committed-twice',
    'readers-act',
    'format-ignored',
    'executed-signatories-empty',
    'dry-runs-applied',
    'serials-ignored',
    'vetted-packages-empty',
    'server-errors-submit-and-wait',
    'no-members-submit-and-wait',
  ].map((name) => everyThird(named('mutant', name, always))),
  ...[
    'everything-found',
    'committed-twice',
    'submitted-completion-offset-of-the-next',
    'executed-witness-parties-with-a-stranger',
    'nothing-remembered',
    'server-errors-contract-by-id',
  ].map((name) => underLoad(named('mutant', name, always))),
]

const byText: readonly Mutant[] = [
  'events-with-a-second-key',
  'events-without-a-key',
  'executed-transaction-left-out',
  'executed-transaction-renamed',
  'vetted-new-vetted-packages-left-out',
  'vetted-new-vetted-packages-renamed',
  'execution-min-ledger-time-demanded',
  'waiting-execution-min-ledger-time-demanded',
  'no-token-needed',
  'rights-of-the-first-reader-checked',
  'rights-of-the-last-actor-checked',
  'nothing-remembered-without-a-period',
  'view-status-details-type-url-of-another-type',
  'view-status-details-value-of-another-type',
  'view-status-details-unknown-fields-of-another-type',
  'view-status-details-fields-of-another-type',
  'view-status-details-value-decoded-of-another-type',
  'executed-created-events-of-strings-alone',
  'arguments-of-ascii-alone',
  'user-ids-without-hyphen',
  'format-read-by-execute',
  'submission-command-id-up-to-64-characters',
  'submission-workflow-id-up-to-64-characters',
  'submission-submission-id-up-to-64-characters',
  'execution-submission-id-up-to-64-characters',
  'waiting-execution-submission-id-up-to-64-characters',
].map((name) => judgedByText(named('mutant', name, always)))

/** In an order that stays, each under a name of its own. */
export const mutants: readonly Mutant[] = [...always, ...nowAndThen, ...byText]
