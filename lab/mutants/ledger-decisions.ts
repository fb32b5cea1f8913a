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
): Mutant => ({
  name,
  rule,
  sentence,
  shows,
  operation: 'submit-and-wait',
  decisions: () => decisions,
})

const sameChange = (name: string, sentence: string, parts: (submission: Submission) => unknown): Mutant =>
  deciding(`change-id-${name}`, 'SAW-CHANGE-ID', sentence, 'repetition', {
    changeId: (submission) => JSON.stringify(parts(submission)),
  })

/** The parts of a right change id. */
const usual = ({ commandId, userId, actAs }: Submission): unknown[] => [commandId, userId, actAs.toSorted()]

export const wrongDecisions: readonly Mutant[] = [
  sameChange('of-the-command-alone', 'The change id consists of the commandId only.', ({ commandId }) => commandId),
  sameChange('without-the-user', 'The change id does not contain the userId.', (one) => usual({ ...one, userId: '' })),
  sameChange('without-the-parties', 'The change id does not contain the actAs parties.', (one) =>
    usual({ ...one, actAs: [] }),
  ),
  sameChange('of-the-first-party', 'The change id contains only the first party in actAs.', (one) =>
    usual({ ...one, actAs: one.actAs.slice(0, 1) }),
  ),
  sameChange('in-order', 'The change id depends on the order of actAs.', (one) => [usual(one), one.actAs]),
  sameChange('with-the-readers', 'The change id contains the readAs parties.', (one) => [
    usual(one),
    one.readAs.toSorted(),
  ]),
  sameChange('with-the-submission', 'The change id contains the submissionId.', (one) => [
    usual(one),
    one.submissionId,
  ]),
  sameChange('with-the-workflow', 'The change id contains the workflowId.', (one) => [usual(one), one.workflowId]),
  sameChange('in-small-letters', 'The change id ignores the letter case of commandId.', (one) =>
    usual({ ...one, commandId: one.commandId.toLowerCase() }),
  ),
  sameChange('of-users-in-small-letters', 'The change id ignores the letter case of userId.', (one) =>
    usual({ ...one, userId: one.userId.toLowerCase() }),
  ),
  deciding(
    'everything-visible',
    'SAW-READ-AS-VISIBILITY',
    'A submission may use any existing contract.',
    'acceptance',
    { isVisible: () => true },
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
