import { grammars } from '../../../interface/grammars.js'
import { demandActAs, demandOwnUserId, effectiveUserId } from '../../auth/caller.js'
import { checkArgument } from '../../base/checks.js'
import { invalidArgument, missingField, UnclassifiedError } from '../../base/errors.js'
import { eventFormat } from '../../codec/event-format.js'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { absentable, anything, list, message, optional, text } from '../../json/decode.js'

const noCommands = { workflowId: '', userId: '', commandId: '', submitter: '', submissionId: '', commands: [] }

const reassignmentBody = message(
  {
    reassignmentCommands: optional(
      message({
        workflowId: optional(text, ''),
        userId: optional(text, ''),
        commandId: optional(text, ''),
        submitter: optional(text, ''),
        submissionId: optional(text, ''),
        commands: optional(list(anything), []),
      }),
      noCommands,
    ),
    eventFormat: absentable(eventFormat),
  },
  ['reassignmentCommands', 'eventFormat'],
)

/** Rejects each request: the simulator reassigns contracts only for submissions that need it. */
const reassignment = (path: string): Endpoint =>
  endpoint({
    method: 'post',
    path,
    body: reassignmentBody,
    handle: ({ caller, body: { reassignmentCommands: given } }) => {
      demandOwnUserId(caller, given.userId)
      demandActAs(caller, given.submitter === '' ? [] : [given.submitter])
      effectiveUserId(caller, given.userId)
      if (given.commandId === '') throw missingField('service', 'command_id')
      checkArgument('service', grammars.partyId, given.submitter)
      if (given.commands.length === 0) {
        throw invalidArgument('service', 'The batch of reassignment commands was invalid: no commands')
      }
      throw new UnclassifiedError('UNIMPLEMENTED', 'the simulator does not reassign contracts on request')
    },
  })

export const reassignmentEndpoints: readonly Endpoint[] = [
  reassignment('/v2/commands/submit-and-wait-for-reassignment'),
  reassignment('/v2/commands/async/submit-reassignment'),
]
