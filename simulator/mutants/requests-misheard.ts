/** Participants that do something else than they were asked, and tell nothing of it. */

import type { OperationName } from '../../interface/operations.js'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import { isJsonObject } from '../../lib/json/json.js'
import {
  afterwards,
  alteringRequests,
  answerOf,
  bodyOf,
  everywhere,
  freshId,
  json,
  withBody,
  without,
  withoutMemory,
} from './alterations.js'
import type { Mutant } from './mutant.js'

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])

/** What the operations are asked, with the change. */
const deaf = (
  name: string,
  sentence: string,
  operation: OperationName,
  change: (body: JsonObject) => JsonObject,
  rule: string,
  shows: Mutant['shows'] = operation === 'update-package-vetting' ? 'vetting' : 'answer',
): Mutant => ({ name, rule, operation, sentence, shows, interceptor: alteringRequests([operation], change) })

const saw = 'submit-and-wait'
const ewt = 'execute-and-wait-for-transaction'
const vet = 'update-package-vetting'

const submissions: readonly Mutant[] = [
  deaf('workflow-ids-lost', 'workflowId is dropped.', saw, without('workflowId'), 'SAW-WORKFLOW-ID-REPORTED'),
  deaf('submission-ids-lost', 'submissionId is dropped.', saw, without('submissionId'), 'SAW-SUBMISSION-ID-REPORTED'),
  deaf('read-as-ignored', 'readAs is ignored.', saw, without('readAs'), 'SAW-READ-AS-VISIBILITY'),
  deaf(
    'preference-ignored',
    'packageIdSelectionPreference is ignored.',
    saw,
    without('packageIdSelectionPreference'),
    'SAW-PACKAGE-PREFERENCE',
  ),
  deaf(
    'synchronizer-ignored',
    'synchronizerId is ignored.',
    saw,
    without('synchronizerId'),
    'SAW-SYNCHRONIZER-ID-VALID',
  ),
  deaf(
    'period-ignored',
    'deduplicationPeriod is ignored.',
    saw,
    without('deduplicationPeriod'),
    'SAW-DEDUPLICATION-PERIOD-OVER',
  ),
  deaf(
    'absolute-time-ignored',
    'minLedgerTimeAbs is ignored.',
    saw,
    without('minLedgerTimeAbs'),
    'SAW-MIN-LEDGER-TIME-ABS',
  ),
  deaf(
    'prefetch-ignored',
    'prefetchContractKeys is ignored.',
    saw,
    without('prefetchContractKeys'),
    'SAW-PREFETCH-KEYS',
  ),
  deaf(
    'readers-act',
    'Parties in readAs are treated as parties in actAs.',
    saw,
    (body) => ({ ...body, actAs: [...listOf(body['actAs']), ...listOf(body['readAs'])] }),
    'SAW-ACT-AS-ON-BEHALF',
  ),
  deaf(
    'first-party-acts',
    'Only the first party in actAs acts.',
    saw,
    (body) => ('actAs' in body ? { ...body, actAs: listOf(body['actAs']).slice(0, 1) } : body),
    'SAW-ACT-AS-ON-BEHALF',
  ),
  deaf(
    'first-command-alone',
    'Only the first command is executed.',
    saw,
    (body) => ('commands' in body ? { ...body, commands: listOf(body['commands']).slice(0, 1) } : body),
    'SAW-ATOMIC',
  ),
]

const lookUps: readonly Mutant[] = [
  deaf(
    'everything-found',
    'queryingParties is ignored: each contract is returned to any caller.',
    'contract-by-id',
    without('queryingParties'),
    'CBI-STAKEHOLDER-INTERSECTION',
    'acceptance',
  ),
]

const executions: readonly Mutant[] = [
  deaf('format-ignored', 'transactionFormat is ignored.', ewt, without('transactionFormat'), 'EXE-FORMAT-SELECTS'),
  deaf(
    'blobs-never-shown',
    'createdEventBlob is always empty.',
    ewt,
    (body) => ({
      ...body,
      ...(body['transactionFormat'] !== undefined && {
        transactionFormat: everywhere(body['transactionFormat'] ?? null, ['includeCreatedEventBlob'], () => false),
      }),
    }),
    'EVT-CREATED-EVENT-BLOB',
  ),
  deaf('bound-of-time-ignored', 'minLedgerTime is ignored.', ewt, without('minLedgerTime'), 'EXE-MIN-LEDGER-TIME'),
  deaf(
    'other-submission-id',
    'The submissionId of an execution is replaced by one of the participant.',
    ewt,
    (body) =>
      'submissionId' in body && body['submissionId'] !== '' ? { ...body, submissionId: freshId('own') } : body,
    'EXE-SUBMISSION-ID-LEDGER-STRING',
  ),
]

const changesOf = (body: JsonObject, change: (operation: JsonValue) => JsonValue): JsonObject =>
  'changes' in body && Array.isArray(body['changes'])
    ? { ...body, changes: body['changes'].map((one) => everywhere(one, ['operation'], change)) }
    : body

const vettings: readonly Mutant[] = [
  deaf(
    'dry-runs-applied',
    'Dry runs are applied.',
    vet,
    (body) => ({ ...body, ...(body['dryRun'] === true && { dryRun: false }) }),
    'VET-DRY-RUN-NO-EFFECT',
  ),
  deaf(
    'never-applied',
    'Each update is handled as a dry run.',
    vet,
    (body) => ({ ...body, dryRun: true }),
    'VET-PURPOSE',
  ),
  deaf(
    'serials-ignored',
    'expectedTopologySerial is ignored.',
    vet,
    without('expectedTopologySerial'),
    'VET-SERIAL-GUARD',
  ),
  deaf(
    'flags-ignored',
    'updateVettedPackagesForceFlags is ignored.',
    vet,
    without('updateVettedPackagesForceFlags'),
    'VET-FLAG-INCOMPATIBLE-UPGRADES',
  ),
  deaf(
    'everything-forced',
    'All force flags are assumed to be set.',
    vet,
    (body) => ({
      ...body,
      updateVettedPackagesForceFlags: [
        'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES',
        'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES',
      ],
    }),
    'VET-FLAGS-FORCE',
  ),
  deaf(
    'bounds-ignored',
    'Validity bounds are ignored.',
    vet,
    (body) =>
      changesOf(body, (operation) =>
        everywhere(operation, ['newValidFromInclusive', 'newValidUntilExclusive'], () => null),
      ),
    'VET-PURPOSE',
  ),
  deaf(
    'first-package-alone',
    'Only the first package of a change is changed.',
    vet,
    (body) => changesOf(body, (operation) => everywhere(operation, ['packages'], (value) => listOf(value).slice(0, 1))),
    'VET-CHANGES-IN-ORDER',
  ),
  deaf(
    'changes-turned',
    'Changes are applied in reverse order.',
    vet,
    (body) =>
      'changes' in body && Array.isArray(body['changes']) ? { ...body, changes: body['changes'].toReversed() } : body,
    'VET-CHANGES-IN-ORDER',
  ),
  deaf(
    'nothing-unvetted',
    'Packages to be unvetted remain vetted.',
    vet,
    (body) =>
      'changes' in body && JSON.stringify(body['changes']).includes('Unvet') ? { ...body, dryRun: true } : body,
    'VET-PURPOSE',
  ),
]

/** Refused as a whole, and then piece by piece. */
const pieces: Mutant = {
  name: 'commands-one-by-one',
  sentence: 'A rejected submission executes those of its commands that are valid.',
  rule: 'SAW-ATOMIC',
  operation: 'submit-and-wait',
  shows: 'ledger',
  interceptor: afterwards([saw], async (request, answer, stage) => {
    const body = bodyOf(request)
    const commands = listOf(body?.['commands'])
    if (answer.status < 400 || commands.length < 2) return
    for (const command of commands) {
      await stage.handle(withBody(request, { ...body, commands: [command], commandId: freshId('piece') }))
    }
  }),
}

const forgetful: Mutant = {
  name: 'nothing-remembered',
  sentence: 'Duplicates are executed like other submissions.',
  rule: 'SAW-DUPLICATE-REJECTED',
  operation: 'submit-and-wait',
  shows: 'repetition',
  interceptor: (stage) => async (request) => {
    let answer = await stage.handle(request)
    if (request.operation === saw && answerOf(answer)?.['code'] === 'DUPLICATE_COMMAND') {
      await withoutMemory(stage.participant, async () => {
        answer = await stage.handle(request)
      })
    }
    return answer
  },
}

const forgetfulByDefault: Mutant = {
  name: 'nothing-remembered-without-a-period',
  sentence: 'A duplicate without a deduplicationPeriod is executed like other submissions.',
  rule: 'SAW-DEDUPLICATION-DEFAULT',
  operation: 'submit-and-wait',
  shows: 'repetition',
  interceptor: (stage) => async (request) => {
    let answer = await stage.handle(request)
    const isWithout = request.operation === saw && (bodyOf(request)?.['deduplicationPeriod'] ?? null) === null
    if (isWithout && answerOf(answer)?.['code'] === 'DUPLICATE_COMMAND') {
      await withoutMemory(stage.participant, async () => {
        answer = await stage.handle(request)
      })
    }
    return answer
  },
}

let counted = 0
const idle: Mutant = {
  name: 'submit-and-wait-does-nothing',
  sentence: 'submit-and-wait returns the updateId of a transaction that does not exist.',
  rule: 'SAW-PURPOSE',
  operation: saw,
  shows: 'ledger',
  interceptor:
    ({ handle }) =>
    async (request) => {
      if (request.operation !== saw) return handle(request)
      counted += 1
      const updateId = `1220${counted.toString(16).padStart(64, '0')}`
      return json(200, { updateId, completionOffset: 1_000_000 + counted })
    },
}

/** Committed once more, later, under another command id. */
const again = (milliseconds: number): Mutant => ({
  name: `committed-again-${milliseconds}`,
  sentence: `An accepted submission is committed again ${milliseconds} milliseconds later.`,
  rule: 'SAW-PURPOSE',
  operation: 'submit-and-wait',
  shows: 'later',
  interceptor: afterwards([saw], (request, answer, stage) => {
    const body = bodyOf(request)
    if (answer.status !== 200 || !isJsonObject(body ?? null)) return
    stage.later(milliseconds, () =>
      stage.handle(withBody(request, { ...body, commandId: freshId('again'), submissionId: '' })),
    )
  }),
})

/** A duplicate is refused, and committed later. */
const duplicateLater = (milliseconds: number): Mutant => ({
  name: `duplicates-committed-${milliseconds}`,
  sentence: `A duplicate is rejected, and committed ${milliseconds} milliseconds later.`,
  rule: 'GEN-NO-EFFECT',
  operation: 'submit-and-wait',
  shows: 'later',
  interceptor: afterwards([saw], (request, answer, stage) => {
    const isDuplicate = ['DUPLICATE_COMMAND', 'SUBMISSION_ALREADY_IN_FLIGHT'].includes(
      String(answerOf(answer)?.['code']),
    )
    if (isDuplicate)
      stage.later(milliseconds, () =>
        stage.handle(withBody(request, { ...bodyOf(request), commandId: freshId('dup') })),
      )
  }),
})

export const misheardRequests: readonly Mutant[] = [
  ...submissions,
  ...lookUps,
  ...executions,
  ...vettings,
  pieces,
  forgetful,
  forgetfulByDefault,
  idle,
  ...[50, 500, 1000, 2000].map(again),
  ...[200, 2000].map(duplicateLater),
]
