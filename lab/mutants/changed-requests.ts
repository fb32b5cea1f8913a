/** Mutants that execute a different request. */
import type { OperationName } from '../../interface/operations.js'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import { bodyOf, changeMembers, changing, listOf, withBody, without } from '../interceptors/bodies.js'
import { alterRequests, runAfter } from '../interceptors/interceptors.js'
import { ewt, freshId, saw, vet } from '../interceptors/names.js'
import { fault, type Mutant } from './mutant.js'

const changed = (
  name: string,
  sentence: string,
  operation: OperationName,
  change: (body: JsonObject) => JsonObject,
  rule: string,
  shows: Mutant['shows'] = operation === 'update-package-vetting' ? 'vetting' : 'answer',
): Mutant => ({ name, rule, operation, sentence, shows, interceptor: alterRequests([operation], change) })

const ignored = (operation: OperationName, member: string, name: string, rule: string): Mutant =>
  changed(name, `${member} is ignored.`, operation, without(member), rule)

const submissions: readonly Mutant[] = [
  changed('workflow-ids-lost', 'workflowId is dropped.', saw, without('workflowId'), 'SAW-WORKFLOW-ID-REPORTED'),
  changed(
    'submission-ids-lost',
    'submissionId is dropped.',
    saw,
    without('submissionId'),
    'SAW-SUBMISSION-ID-REPORTED',
  ),
  ignored(saw, 'readAs', 'read-as-ignored', 'SAW-READ-AS-VISIBILITY'),
  ignored(saw, 'packageIdSelectionPreference', 'preference-ignored', 'SAW-PACKAGE-PREFERENCE'),
  ignored(saw, 'synchronizerId', 'synchronizer-ignored', 'SAW-SYNCHRONIZER-ID-VALID'),
  ignored(saw, 'deduplicationPeriod', 'period-ignored', 'SAW-DEDUPLICATION-PERIOD-OVER'),
  ignored(saw, 'minLedgerTimeAbs', 'absolute-time-ignored', 'SAW-MIN-LEDGER-TIME-ABS'),
  ignored(saw, 'prefetchContractKeys', 'prefetch-ignored', 'SAW-PREFETCH-KEYS'),
  changed(
    'readers-act',
    'Parties in readAs are treated as parties in actAs.',
    saw,
    (body) => ({ ...body, actAs: [...listOf(body['actAs']), ...listOf(body['readAs'])] }),
    'SAW-ACT-AS-ON-BEHALF',
  ),
  changed(
    'first-party-acts',
    'Only the first party in actAs acts.',
    saw,
    changing(['actAs'], (parties) => listOf(parties).slice(0, 1)),
    'SAW-ACT-AS-ON-BEHALF',
  ),
  changed(
    'first-command-alone',
    'Only the first command is executed.',
    saw,
    changing(['commands'], (commands) => listOf(commands).slice(0, 1)),
    'SAW-ATOMIC',
  ),
]

const lookUps: readonly Mutant[] = [
  changed(
    'everything-found',
    'queryingParties is ignored: each contract is returned to any caller.',
    'contract-by-id',
    without('queryingParties'),
    'CBI-STAKEHOLDER-INTERSECTION',
    'acceptance',
  ),
]

const executions: readonly Mutant[] = [
  ignored(ewt, 'transactionFormat', 'format-ignored', 'EXE-FORMAT-SELECTS'),
  changed(
    'blobs-never-shown',
    'createdEventBlob is always empty.',
    ewt,
    changing(['transactionFormat'], (format) => changeMembers(format, ['includeCreatedEventBlob'], () => false)),
    'EVT-CREATED-EVENT-BLOB',
  ),
  ignored(ewt, 'minLedgerTime', 'bound-of-time-ignored', 'EXE-MIN-LEDGER-TIME'),
  changed(
    'other-submission-id',
    'The submissionId of an execution is replaced by one of the participant.',
    ewt,
    changing(['submissionId'], (id) => (id === '' ? id : freshId('own'))),
    'EXE-SUBMISSION-ID-LEDGER-STRING',
  ),
]

const changingOperations = (change: (operation: JsonValue) => JsonValue) =>
  changing(['changes'], (list) =>
    Array.isArray(list) ? list.map((one) => changeMembers(one, ['operation'], change)) : list,
  )

const vettings: readonly Mutant[] = [
  changed(
    'dry-runs-applied',
    'Dry runs are applied.',
    vet,
    (body) => ({ ...body, ...(body['dryRun'] === true && { dryRun: false }) }),
    'VET-DRY-RUN-NO-EFFECT',
  ),
  changed(
    'never-applied',
    'Each update is handled as a dry run.',
    vet,
    (body) => ({ ...body, dryRun: true }),
    'VET-PURPOSE',
  ),
  ignored(vet, 'expectedTopologySerial', 'serials-ignored', 'VET-SERIAL-GUARD'),
  ignored(vet, 'updateVettedPackagesForceFlags', 'flags-ignored', 'VET-FLAG-INCOMPATIBLE-UPGRADES'),
  changed(
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
  changed(
    'bounds-ignored',
    'Validity bounds are ignored.',
    vet,
    changingOperations((operation) =>
      changeMembers(operation, ['newValidFromInclusive', 'newValidUntilExclusive'], () => null),
    ),
    'VET-PURPOSE',
  ),
  changed(
    'first-package-alone',
    'Only the first package of a change is changed.',
    vet,
    changingOperations((operation) => changeMembers(operation, ['packages'], (value) => listOf(value).slice(0, 1))),
    'VET-CHANGES-IN-ORDER',
  ),
  changed(
    'changes-turned',
    'Changes are applied in reverse order.',
    vet,
    changing(['changes'], (list) => (Array.isArray(list) ? list.toReversed() : list)),
    'VET-CHANGES-IN-ORDER',
  ),
  changed(
    'nothing-unvetted',
    'Packages to be unvetted remain vetted.',
    vet,
    (body) =>
      'changes' in body && JSON.stringify(body['changes']).includes('Unvet') ? { ...body, dryRun: true } : body,
    'VET-PURPOSE',
  ),
]

export const changedRequests: readonly Mutant[] = [
  ...submissions,
  ...lookUps,
  ...executions,
  ...vettings,
  {
    name: 'commands-one-by-one',
    sentence: 'A rejected submission executes those of its commands that are valid.',
    ...fault('submit-and-wait', 'SAW-ATOMIC', 'ledger'),
    interceptor: runAfter([saw], async (request, answer, stage) => {
      const body = bodyOf(request)
      const commands = listOf(body?.['commands'])
      if (answer.status < 400 || commands.length < 2) return
      for (const command of commands) {
        await stage.handle(withBody(request, { ...body, commands: [command], commandId: freshId('piece') }))
      }
    }),
  },
]
