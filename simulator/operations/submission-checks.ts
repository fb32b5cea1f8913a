/** In the order of the reference 3.5.10. */
import { grammars, violation } from '../../interface/grammars.js'
import { type Caller, demandOwnUserId, effectiveUserId } from '../auth/caller.js'
import { Checks, checkArgument, checkField, checkOptionalField } from '../base/checks.js'
import { commandPreprocessingFailed, invalidArgument, missingField } from '../base/errors.js'
import { convertCommands } from '../codec/conversion.js'
import { discloseAll } from '../codec/disclosure.js'
import type { Call } from '../http/call.js'
import { type CheckedLater, checkDaml } from '../json/daml-check.js'
import type { LedgerCommand } from '../ledger/interpret/command.js'
import type { Submission } from '../ledger/transactions/transaction.js'
import type { Participant } from '../participant/participant.js'
import {
  convertPrefetch,
  minLedgerTime,
  type Prefetched,
  printSubmission,
  refuseBadPeriod,
  refuseUnrepresentable,
  refuseUnsupported,
  type SubmissionBody,
} from './submission-body.js'

interface SubmissionRequest {
  body: SubmissionBody
  identity: Submission
  commands: readonly LedgerCommand[]
  prefetched: readonly Prefetched[]
  participant: Participant
}

/** Resolving package names needs these checks early. */
const resolvesNames = ({ commands }: SubmissionBody): boolean =>
  commands.some(({ templateId }) => templateId.package.startsWith('#'))

/** Before name resolution and authorization. */
const conversionChecks = new Checks<SubmissionBody>({
  'SAW-ACT-AS-NOT-EMPTY': ({ actAs }) => {
    if (actAs.length === 0) throw missingField('service', 'act_as/actAs')
  },
  // The reference converts commands for the first party; without a command it checks rights first.
  'SAW-ACT-AS-PARTY': ({ actAs: [first], commands }) => {
    const problem = first === undefined || commands.length === 0 ? undefined : violation(grammars.partyId, first)
    if (problem) throw invalidArgument('service', `Invalid party in actAs/act_as: ${problem}`)
  },
  'SAW-SYNCHRONIZER-ID-VALID': (body) => {
    if (!resolvesNames(body)) return
    checkOptionalField('service', 'synchronizer_id', grammars.synchronizerId, body.synchronizerId)
  },
  'SAW-PACKAGE-PREFERENCE': (body) => {
    for (const id of resolvesNames(body) ? body.preference : []) {
      const problem = violation(grammars.packageId, id)
      if (problem) throw invalidArgument('service', `packageIdSelectionPreferences: ${problem}`)
    }
  },
})

/** Before the other checks of the request. */
const prefetchChecks = new Checks<readonly Prefetched[]>({ 'SAW-PREFETCH-KEYS': refuseUnsupported })

const requestChecks = new Checks<SubmissionRequest>({
  'SAW-WORKFLOW-ID-LEDGER-STRING': ({ identity: { workflowId } }) => {
    if (workflowId !== '') checkArgument('request', grammars.ledgerString, workflowId)
  },
  'SAW-USER-ID-GRAMMAR': ({ identity }) => checkOptionalField('request', 'user_id', grammars.userId, identity.userId),
  'SAW-COMMAND-ID-REQUIRED': ({ identity }) => {
    if (identity.commandId === '') throw missingField('request', 'command_id')
  },
  'SAW-COMMAND-ID-LEDGER-STRING': ({ identity }) =>
    checkOptionalField('request', 'command_id', grammars.ledgerString, identity.commandId),
  'SAW-SUBMISSION-ID-LEDGER-STRING': ({ identity }) =>
    checkOptionalField('request', 'submission_id', grammars.ledgerString, identity.submissionId),
  'SAW-ACT-AS-PARTY': ({ identity }) => refuseBadParties(identity.actAs),
  'SAW-READ-AS-PARTY': ({ identity }) => refuseBadParties(identity.readAs),
  'SAW-SYNCHRONIZER-ID-VALID': ({ body }) =>
    checkOptionalField('request', 'synchronizer_id', grammars.synchronizerId, body.synchronizerId),
  'SAW-COMMANDS-NOT-EMPTY': ({ commands }) => {
    if (commands.length === 0) throw missingField('request', 'commands')
  },
  'SAW-COMMAND-TARGETS': ({ commands }) => commands.forEach(refuseBadTarget),
  'SAW-ARGUMENT-VALUES': ({ commands }) => commands.forEach(refuseBadValues),
  'SAW-MIN-LEDGER-TIME-EXCLUSIVE': ({ body }) => {
    if (body.minLedgerTimeAbs === undefined || body.minLedgerTimeRel === undefined) return
    throw invalidArgument('request', 'min_ledger_time_abs cannot be specified at the same time as min_ledger_time_rel')
  },
  'SAW-DEDUPLICATION-PERIOD-VALID': ({ body, participant: { behaviour } }) =>
    refuseBadPeriod(body.deduplication, behaviour),
  'SAW-PACKAGE-PREFERENCE': ({ body, participant }) => refuseBadPreference(body.preference, participant),
  'SAW-PREFETCH-KEYS': ({ prefetched }) => {
    for (const { limit, problem } of prefetched) {
      if (problem !== undefined) throw invalidArgument('request', problem)
      if (limit !== undefined && limit <= 0n)
        throw invalidArgument('request', `limit must be a positive integer, but got ${limit}`)
    }
  },
  'SAW-TAPS-POSITIVE': ({ body: { tapsMaxPasses: passes } }) => {
    if (passes === undefined || passes > 0n) return
    throw invalidArgument('request', `taps_max_passes must be strictly positive, but got ${passes}.`)
  },
  'SAW-TAPS-LIMIT': ({ body, participant }) => refuseTooManyPasses(body.tapsMaxPasses, participant),
})

/** Before interpretation. */
export const preprocessingChecks = new Checks<readonly LedgerCommand[]>({
  'SAW-ARGUMENT-VALUES': (commands) => commands.forEach(refuseUnusableValues),
})

function refuseBadParties(parties: readonly string[]): void {
  for (const party of parties) checkArgument('request', grammars.partyId, party)
}

function laterChecks(command: LedgerCommand): CheckedLater[] {
  const values: Parameters<typeof checkDaml>[] = []
  if (command.kind === 'create') values.push([command.template.argument, command.argument])
  else values.push([command.target.choice.argument, command.argument])
  if (command.kind === 'createAndExercise') values.unshift([command.template.argument, command.createArgument])
  if (command.kind === 'exerciseByKey' && command.template.key) values.unshift([command.template.key, command.key])
  return values.flatMap(([type, value]) => checkDaml(type, value) ?? [])
}

function refuseBadTarget(command: LedgerCommand): void {
  if (command.kind !== 'exercise') return
  if (command.contractId === '') throw missingField('request', 'contract_id')
  checkField('request', 'contract_id', grammars.contractId, command.contractId)
}

function refuseBadValues(command: LedgerCommand): void {
  const found = laterChecks(command).find(({ layer }) => layer === 'request')
  if (found) throw invalidArgument('request', found.message)
}

function refuseUnusableValues(command: LedgerCommand): void {
  const found = laterChecks(command).find(({ layer }) => layer === 'preprocessing')
  if (found) throw commandPreprocessingFailed('interpretation', found.message)
}

function refuseBadPreference(preference: readonly string[], { ledger }: Participant): void {
  const chosen = new Map<string, string>()
  for (const id of preference) {
    checkArgument('request', grammars.packageId, id)
    const name = ledger.packages.get(id)?.name
    if (name === undefined) throw invalidArgument('request', `user-specified pkg id (${id}) could not be found`)
    const earlier = chosen.get(name)
    if (earlier !== undefined) {
      throw invalidArgument('request', `duplicate preference for package-name ${name}: ${earlier} vs ${id}`)
    }
    chosen.set(name, id)
  }
}

/** The default of 3.5.10. */
const tapsLimit = 4n

function refuseTooManyPasses(passes: bigint | undefined, { behaviour }: Participant): void {
  if (passes === undefined || passes <= tapsLimit || !behaviour.has('refuse-taps-above-limit')) return
  throw invalidArgument('request', `taps_max_passes must not exceed ${tapsLimit}, but got ${passes}.`)
}

/** The checks that submit-and-wait and prepare share, in order. Sets the submission that error bodies show. */
export function checkedSubmission(
  { participant, caller, submission: situation }: Call<unknown>,
  body: SubmissionBody,
  demandRights: (caller: Caller) => void,
) {
  const { ledger, without } = participant
  conversionChecks.run(body, without)
  const commands = convertCommands(body.commands, body, participant)
  const prefetched = convertPrefetch(body.prefetch, participant)

  demandOwnUserId(caller, body.userId)
  demandRights(caller)
  const identity = {
    userId: effectiveUserId(caller, body.userId),
    submissionId: body.submissionId === '' ? situation.submissionId : body.submissionId,
    commandId: body.commandId,
    workflowId: body.workflowId,
    actAs: [...new Set(body.actAs)],
    readAs: [...new Set(body.readAs)],
  }
  situation.submissionId = identity.submissionId
  const now = ledger.clock.now()
  situation.submission = printSubmission(identity, body.deduplication, now)

  prefetchChecks.run(prefetched, without)
  requestChecks.run({ body, identity, commands, prefetched, participant }, without)
  refuseUnrepresentable(minLedgerTime(body, now))
  const disclosed = discloseAll(body.disclosedContracts, ledger)
  return { commands, identity, disclosed, now }
}
