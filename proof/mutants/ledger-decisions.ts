/** Mutants with another change id, or other visible contracts. */
import { isStakeholder } from '../../simulator/ledger/contracts/contract.js'
import type { Decisions } from '../../simulator/ledger/state/ledger-view.js'
import type { Submission } from '../../simulator/ledger/transactions/transaction.js'
import type { Mutant, Showing } from './mutant.js'

const deciding = (
  name: string,
  rule: string,
  sentence: string,
  shows: Showing,
  decisions: Partial<Decisions>,
): Mutant => ({ ...{ name, rule, sentence, shows }, operation: 'submit-and-wait', decisions: () => decisions })

const sameChange = (name: string, sentence: string, parts: (submission: Submission) => unknown): Mutant =>
  deciding(`change-id-${name}`, 'SAW-CHANGE-ID', sentence, 'repetition', {
    changeId: (submission) => JSON.stringify(parts(submission)),
  })

export const wrongDecisions: readonly Mutant[] = [
  sameChange('of-the-command-alone', 'The change id consists of the commandId only.', ({ commandId }) => commandId),
  sameChange('without-the-user', 'The change id does not contain the userId.', ({ commandId, actAs }) => [
    commandId,
    actAs.toSorted(),
  ]),
  sameChange('without-the-parties', 'The change id does not contain the actAs parties.', ({ commandId, userId }) => [
    commandId,
    userId,
  ]),
  sameChange('of-the-first-party', 'The change id contains only the first party in actAs.', (submission) => [
    submission.commandId,
    submission.userId,
    submission.actAs[0],
  ]),
  sameChange('in-order', 'The change id depends on the order of actAs.', ({ userId, actAs, commandId }) => [
    commandId,
    userId,
    actAs,
  ]),
  sameChange('with-the-readers', 'The change id contains the readAs parties.', (submission) => [
    submission.commandId,
    submission.userId,
    submission.actAs.toSorted(),
    submission.readAs.toSorted(),
  ]),
  sameChange('with-the-submission', 'The change id contains the submissionId.', (submission) => [
    submission.commandId,
    submission.userId,
    submission.actAs.toSorted(),
    submission.submissionId,
  ]),
  sameChange('with-the-workflow', 'The change id contains the workflowId.', (submission) => [
    submission.commandId,
    submission.userId,
    submission.actAs.toSorted(),
    submission.workflowId,
  ]),
  sameChange('in-small-letters', 'The change id ignores the letter case of commandId.', (submission) => [
    submission.commandId.toLowerCase(),
    submission.userId,
    submission.actAs.toSorted(),
  ]),
  deciding(
    'everything-visible',
    'SAW-READ-AS-VISIBILITY',
    'A submission may use any existing contract.',
    'acceptance',
    {
      isVisible: () => true,
    },
  ),
  deciding('first-reader-alone', 'SAW-READ-AS-ON-BEHALF', 'Only the first party in readAs is used.', 'refusal', {
    isVisible: (contract, actAs, [reader = '']) => isStakeholder(contract, [...actAs, reader]),
  }),
  deciding(
    'signatories-alone-see',
    'SAW-READ-AS-VISIBILITY',
    'Observers cannot use the contracts that they observe.',
    'refusal',
    { isVisible: ({ signatories }, actAs, readAs) => signatories.some((one) => [...actAs, ...readAs].includes(one)) },
  ),
]
