import { operationNames } from '../../interface/operations.js'
import type { InterceptedRequest, KnownOperation } from '../../simulator/participant/participant.js'

export const cbi = 'contract-by-id'
export const saw = 'submit-and-wait'
export const exe = 'execute'
export const ewt = 'execute-and-wait-for-transaction'
export const vet = 'update-package-vetting'

export const executing = [exe, ewt] as const

/** The operations that the suite judges. */
export const judged = operationNames

export const isOneOf = ({ operation }: InterceptedRequest, names: readonly KnownOperation[]): boolean =>
  operation !== undefined && names.includes(operation)

export const isJudged = (request: InterceptedRequest): boolean => isOneOf(request, judged)

/** `createdAt` as `created-at`. */
export const hyphenate = (member: string): string => member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Members of commands with Daml values. */
export const damlArguments = ['createArguments', 'choiceArgument', 'contractKey']

/** A party of another participant. */
export const otherParty = `stranger::1220${'ab'.repeat(32)}`

let count = 0
export const freshId = (word: string): string => {
  count += 1
  return `${word}-${process.pid}-${count}`
}
