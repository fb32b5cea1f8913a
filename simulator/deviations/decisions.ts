/** Participants whose ledger decides otherwise: what is the same change, and what may be used. */
import { isStakeholder } from '../ledger/contract.js'
import type { Decisions } from '../ledger/decisions.js'
import type { Submission } from '../ledger/transaction.js'
import type { Deviation, Showing } from './deviation.js'

const deciding = (
  name: string,
  rule: string,
  sentence: string,
  shows: Showing,
  decisions: Partial<Decisions>,
): Deviation => ({ ...{ name, rule, sentence, shows }, operation: 'submit-and-wait', decisions: () => decisions })

/** Two submissions are the same change where this says the same of both. */
const sameChange = (name: string, sentence: string, told: (submission: Submission) => unknown): Deviation =>
  deciding(`change-id-${name}`, 'SAW-CHANGE-ID', sentence, 'repetition', {
    changeId: (submission) => JSON.stringify(told(submission)),
  })

export const otherDecisions: readonly Deviation[] = [
  sameChange('of-the-command-alone', 'Deduplication knows the command id alone.', ({ commandId }) => commandId),
  sameChange('without-the-user', 'The change id leaves the user out.', ({ commandId, actAs }) => [
    commandId,
    actAs.toSorted(),
  ]),
  sameChange('without-the-parties', 'The change id leaves the acting parties out.', ({ commandId, userId }) => [
    commandId,
    userId,
  ]),
  sameChange('of-the-first-party', 'The change id knows the first of the acting parties alone.', (submission) => [
    submission.commandId,
    submission.userId,
    submission.actAs[0],
  ]),
  sameChange('in-order', 'The order of the acting parties makes another change id.', ({ userId, actAs, commandId }) => [
    commandId,
    userId,
    actAs,
  ]),
  sameChange('with-the-readers', 'Whom it reads as is a part of the change id.', (submission) => [
    submission.commandId,
    submission.userId,
    submission.actAs.toSorted(),
    submission.readAs.toSorted(),
  ]),
  sameChange('with-the-submission', 'The submission id is a part of the change id.', (submission) => [
    submission.commandId,
    submission.userId,
    submission.actAs.toSorted(),
    submission.submissionId,
  ]),
  sameChange('with-the-workflow', 'The workflow id is a part of the change id.', (submission) => [
    submission.commandId,
    submission.userId,
    submission.actAs.toSorted(),
    submission.workflowId,
  ]),
  sameChange('in-small-letters', 'Upper and lower case make no difference in a change id.', (submission) => [
    submission.commandId.toLowerCase(),
    submission.userId,
    submission.actAs.toSorted(),
  ]),
  deciding(
    'everything-visible',
    'SAW-READ-AS-VISIBILITY',
    'A submission may use whatever contract there is.',
    'acceptance',
    {
      isVisible: () => true,
    },
  ),
  deciding('first-reader-alone', 'SAW-READ-AS-ON-BEHALF', 'Of several readers only the first counts.', 'refusal', {
    isVisible: (contract, actAs, [reader = '']) => isStakeholder(contract, [...actAs, reader]),
  }),
  deciding(
    'signatories-alone-see',
    'SAW-READ-AS-VISIBILITY',
    'Observers may not use the contracts that they observe.',
    'refusal',
    { isVisible: ({ signatories }, actAs, readAs) => signatories.some((one) => [...actAs, ...readAs].includes(one)) },
  ),
]
