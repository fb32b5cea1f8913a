import { grammars } from '../../../interface/grammars.js'
import { demandActAs, demandOwnUserId, effectiveUserId } from '../../auth/caller.js'
import { checkField, checkOptionalField } from '../../base/checks.js'
import { invalidArgument, missingField, RedactedError } from '../../base/errors.js'
import { eventFormat } from '../../codec/event-format.js'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import {
  absentable,
  anything,
  contentOf,
  type DecodedBy,
  list,
  mapped,
  message,
  nullable,
  optional,
  tagged,
  text,
  union,
} from '../../json/decode.js'
import type { Ledger } from '../../ledger/state/ledger.js'

const synchronizers = { source: optional(text, ''), target: optional(text, '') }

/** The oneof of a command is not set. */
const none = { kind: 'none' } as const

const command = union({
  AssignCommand: tagged('assign', contentOf(message({ reassignmentId: optional(text, ''), ...synchronizers }))),
  UnassignCommand: tagged('unassign', contentOf(message({ contractId: optional(text, ''), ...synchronizers }))),
  Empty: mapped(anything, () => none),
})

type Reassignment = DecodedBy<typeof command>

const noCommands = { workflowId: '', userId: '', commandId: '', submitter: '', submissionId: '', commands: [] }

const reassignmentBody = message({
  reassignmentCommands: nullable(
    message({
      workflowId: optional(text, ''),
      userId: optional(text, ''),
      commandId: optional(text, ''),
      submitter: optional(text, ''),
      submissionId: optional(text, ''),
      commands: optional(list(mapped(message({ command: optional(command, none) }), (item) => item.command)), []),
    }),
    noCommands,
  ),
  eventFormat: absentable(eventFormat),
})

/** Throws `MISSING_FIELD` and `INVALID_FIELD`. */
function checkCommand(given: Reassignment): Exclude<Reassignment, { kind: 'none' }> {
  if (given.kind === 'none') throw missingField('service', 'command')
  checkField('service', 'source', grammars.synchronizerId, given.source)
  checkField('service', 'target', grammars.synchronizerId, given.target)
  if (given.kind === 'unassign') {
    if (given.contractId === '') throw missingField('service', 'contract_id')
    checkField('service', 'contract_id', grammars.contractId, given.contractId)
  }
  return given
}

/** The commands of a batch have one kind and one pair of synchronizers. Throws `INVALID_ARGUMENT`. */
function batchOf(commands: readonly Reassignment[]): Exclude<Reassignment, { kind: 'none' }> {
  const [first, ...more] = commands.map(checkCommand)
  if (!first) throw invalidBatch('no commands')
  if (more.some(({ kind }) => kind !== first.kind)) throw invalidBatch('mixed assign with other commands')
  if (more.some(({ source, target }) => source !== first.source || target !== first.target))
    throw invalidBatch('differing synchronizers')
  return first
}

const invalidBatch = (problem: string): Error =>
  invalidArgument('service', `The batch of reassignment commands was invalid: ${problem}`)

/** Throws `INVALID_ARGUMENT`. */
function refuseUnknownSynchronizer(id: string, ledger: Ledger): void {
  if (ledger.synchronizer(id)) return
  throw invalidArgument('service', `Unable to resolve ${id} to a connected physical synchronizer id`)
}

/**
 * Rejects each request. With one synchronizer, so does the reference (the checks after those of the fields are from its
 * source). The simulator reassigns contracts between several synchronizers only for submissions that need it.
 */
const reassignment = (path: string): Endpoint =>
  endpoint({
    method: 'post',
    path,
    body: reassignmentBody,
    handle: ({ participant: { ledger }, caller, body: { reassignmentCommands: given } }) => {
      demandOwnUserId(caller, given.userId)
      demandActAs(caller, given.submitter === '' ? [] : [given.submitter])
      effectiveUserId(caller, given.userId)
      checkField('service', 'submitter', grammars.partyId, given.submitter)
      if (given.commandId === '') throw missingField('service', 'command_id')
      checkField('service', 'command_id', grammars.ledgerString, given.commandId)
      checkOptionalField('service', 'submission_id', grammars.ledgerString, given.submissionId)
      checkOptionalField('service', 'workflow_id', grammars.ledgerString, given.workflowId)
      const batch = batchOf(given.commands)
      if (batch.kind === 'unassign') refuseUnknownSynchronizer(batch.source, ledger)
      refuseUnknownSynchronizer(batch.target, ledger)
      if (batch.kind === 'assign') {
        throw invalidArgument('service', `Cannot assign \`${batch.reassignmentId}\`: unknown reassignment`)
      }
      if (batch.source === batch.target) {
        const problem = 'source and target synchronizers are the same'
        throw invalidArgument('service', `Cannot unassign contract \`${batch.contractId}\`: ${problem}`)
      }
      if (!ledger.contract(batch.contractId)) {
        throw invalidArgument('service', `Cannot unassign contract \`${batch.contractId}\`: unknown contract`)
      }
      const description = 'the simulator does not reassign contracts on request'
      throw new RedactedError('UNIMPLEMENTED', { traced: false, description })
    },
  })

export const reassignmentEndpoints: readonly Endpoint[] = [
  reassignment('/v2/commands/submit-and-wait-for-reassignment'),
  reassignment('/v2/commands/async/submit-reassignment'),
]
