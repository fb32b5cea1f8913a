/** All mutants. The suite kills each of them by a row that cites its rule. */
import { firstTokenReused, wrongCallers } from './callers.js'
import { changedRequests } from './changed-requests.js'
import { cheatingMutants, restartedMutants } from './cheating.js'
import { faultyReadMutants } from './faulty-reads.js'
import { everyThird, underLoad } from './intermittent.js'
import { effectsOfRejections, lateCommits } from './late-effects.js'
import { wrongDecisions } from './ledger-decisions.js'
import { findNamed, type Mutant } from './mutant.js'
import { protocolMutants } from './protocol.js'
import { wrongRequestMembers } from './request-members.js'
import { wrongMembers } from './response-members.js'
import { uncoveredFields, wrongHashes } from './signed-hashes.js'
import { skippedChecks } from './skipped-checks.js'
import { wrongSpellings } from './spellings.js'
import { executedDuplicates, wrongSubmissions } from './submissions.js'
import { wrongKinds } from './tagged-unions.js'
import { wrongVetting } from './vetting.js'
import { wrongAnswers, wrongTransactions } from './wrong-answers.js'
import { executesNothing, submitsNothing, wrongEffects } from './wrong-effects.js'

/** The mutant with the behaviour `interface`, judged by the text alone. */
const judgedByText = (mutant: Mutant): Mutant => ({
  ...mutant,
  name: `${mutant.name}-by-the-text`,
  sentence: `Otherwise as the interface text states: ${mutant.sentence}`,
  where: { ...mutant.where, behaviour: 'interface' },
})

/** In the order of suites/mutation-report.json. */
const always: readonly Mutant[] = [
  ...skippedChecks,
  ...wrongMembers,
  ...wrongAnswers,
  firstTokenReused,
  executesNothing,
  ...protocolMutants,
  ...wrongRequestMembers,
  ...changedRequests,
  ...executedDuplicates,
  submitsNothing,
  ...lateCommits,
  ...wrongCallers,
  ...wrongDecisions,
  ...wrongSubmissions,
  ...wrongVetting,
  ...wrongEffects,
  ...wrongTransactions,
  ...effectsOfRejections,
  ...uncoveredFields,
  ...wrongHashes,
  ...restartedMutants,
  ...wrongKinds,
  ...wrongSpellings,
  ...cheatingMutants,
  ...faultyReadMutants,
]

const intermittent: readonly Mutant[] = [
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
  ].map((name) => everyThird(findNamed('mutant', name, always))),
  ...[
    'everything-found',
    'committed-twice',
    'submitted-completion-offset-of-the-next',
    'executed-witness-parties-with-a-stranger',
    'nothing-remembered',
    'server-errors-contract-by-id',
  ].map((name) => underLoad(findNamed('mutant', name, always))),
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
].map((name) => judgedByText(findNamed('mutant', name, always)))

/** In a fixed order, with unique names. */
export const mutants: readonly Mutant[] = [...always, ...intermittent, ...byText]
