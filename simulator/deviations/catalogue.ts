/** All deviations by name. A suite that is any good finds each of them, by a row that cites its rule. */
import { named } from '../base/named.js'
import { untrueAnswers } from './answers-untrue.js'
import { judgedByText } from './by-the-text.js'
import { otherCallers } from './callers.js'
import { otherDecisions } from './decisions.js'
import type { Deviation } from './deviation.js'
import { otherEffects } from './effects.js'
import { everyThird, underLoad } from './intermittent.js'
import { otherKinds } from './kinds.js'
import { leftOutChecks } from './left-out-checks.js'
import { badManners } from './manners.js'
import { alteredMembers } from './members.js'
import { refusedAndDone } from './refusals.js'
import { otherMembers } from './request-members.js'
import { misheardRequests } from './requests-misheard.js'
import { restarted } from './restarted.js'
import { otherSubmissions } from './submissions.js'
import { otherHashes, uncoveredFields } from './uncovered-fields.js'
import { otherVetting } from './vetting.js'

const always: readonly Deviation[] = [
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

const nowAndThen: readonly Deviation[] = [
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
  ].map((name) => everyThird(named('deviation', name, always))),
  ...[
    'everything-found',
    'committed-twice',
    'submitted-completion-offset-of-the-next',
    'executed-witness-parties-with-a-stranger',
    'nothing-remembered',
    'server-errors-contract-by-id',
  ].map((name) => underLoad(named('deviation', name, always))),
]

const byText: readonly Deviation[] = [
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
  'format-read-by-execute',
  'submission-command-id-up-to-64-characters',
  'submission-workflow-id-up-to-64-characters',
  'submission-submission-id-up-to-64-characters',
  'execution-submission-id-up-to-64-characters',
  'waiting-execution-submission-id-up-to-64-characters',
].map((name) => judgedByText(named('deviation', name, always)))

/** In an order that stays, each under a name of its own. */
export const deviations: readonly Deviation[] = [...always, ...nowAndThen, ...byText]
