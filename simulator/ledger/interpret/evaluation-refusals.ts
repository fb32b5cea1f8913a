/** Errors of failed evaluations, as observed on the reference participant 3.5.10. */
import type { Failure } from '../../../daml/machine/failures.js'
import type { DamlIdentifier } from '../../../interface/daml-value.js'
import {
  cryptoError,
  damlFailure,
  interpretationError,
  interpretationTimeExceeded,
  type LedgerError,
  nonComparableValues,
  userError,
} from '../../base/errors.js'
import type { OpenExercise } from '../transactions/transaction-builder.js'
import type { LedgerCommand } from './command.js'

interface FailureSite {
  /** Innermost first. */
  exercises: readonly OpenExercise[]
  command: LedgerCommand | undefined
}

export function refusalOf(failure: Failure, site: FailureSite): LedgerError {
  switch (failure.kind) {
    case 'status':
      return damlFailure(knownCategory(failure.category))(
        'interpretation',
        `Interpretation error: Error: ${statusText(failure)}`,
        {
          context: {
            ...failure.metadata,
            ...(failure.errorId !== '' && { error_id: failure.errorId }),
            exercise_trace: exerciseTrace(site),
          },
        },
      )
    case 'userError':
      return userError('interpretation', `Interpretation error: Error: User abort: ${failure.message}`, {
        resources: [['EXCEPTION_TEXT', failure.message]],
      })
    case 'notComparable':
      return nonComparableValues('interpretation', 'Interpretation error: Error: functions are not comparable')
    case 'crypto':
      return cryptoError(cryptoProblems[failure.problem])(
        'interpretation',
        `Interpretation error: Error: ${failure.problem}: ${failure.message}`,
        { resources: [['CRYPTO_VALUE', failure.value]] },
      )
    case 'limit':
      return interpretationTimeExceeded(
        'interpretation',
        `Interpretation exceeded the ${failure.of} that this simulator grants to one transaction`,
      )
    case 'missing': {
      const { packageId, module, entity } = failure.id
      const name = entity === '' ? `package ${packageId}` : `${failure.what} ${packageId}:${module}:${entity}`
      return interpretationError('interpretation', `Interpretation error: Error: unknown ${name}`)
    }
    case 'illTyped':
      return interpretationError('interpretation', `Interpretation error: Error: ${failure.message}`)
  }
}

const statusText = ({ errorId, category, message }: Extract<Failure, { kind: 'status' }>): string =>
  `User failure: ${errorId} (error category ${category}): ${message}`

const cryptoProblems = {
  MalformedByteEncoding: 'BYTE_ENCODING',
  MalformedKey: 'KEY',
  MalformedSignature: 'SIGNATURE',
} as const

/** Programs can name any number; unknown ones become 9 (invalid system state). */
const knownCategory = (category: number): number => (category >= 1 && category <= 14 ? category : 9)

function exerciseTrace({ exercises, command }: FailureSite): string {
  const steps = exercises.map(({ template, interface: definition, choice, contract }) =>
    stepOf(definition ?? template, choice, contract.id),
  )
  const inChoices = steps.map((step, index) => `    in choice ${step} (#${steps.length - 1 - index})\n`)
  return `${inChoices.join('')}    in ${commandText(command, steps.at(-1))}.\n`
}

const printName = ({ packageId, module, entity }: DamlIdentifier): string =>
  `${packageId.slice(0, 8)}:${module}:${entity}`

const stepOf = (id: DamlIdentifier, choice: string, contractId: string): string =>
  `${printName(id)}:${choice} on contract ${contractId.slice(0, 10)}`

function commandText(command: LedgerCommand | undefined, step: string | undefined): string {
  if (!command) return 'no command'
  if (command.kind === 'create') return `create command ${printName(command.template.id)}`
  if (step !== undefined) return `exercise command ${step}`
  const { target } = command
  const { id } = target.template ?? target.interface
  const contract = command.kind === 'exercise' ? ` on contract ${command.contractId.slice(0, 10)}` : ''
  return `exercise command ${printName(id)}:${target.choice.name}${contract}`
}
