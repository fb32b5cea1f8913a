/** The ledger contains only transactions that answers report. */

import { operationNamed } from '../../interface/operations.js'
import type { Evidence, Judgement } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { itemsAt, stringAt, valueAt } from '../template/pointer.js'
import type { Variables } from '../template/variables.js'
import { answerOf } from './answer.js'
import type { Finding } from './evaluate-check.js'
import { checksOn, toJudgement } from './judge-exchange.js'
import { isRejection, isSuccess } from './sent-steps.js'

/** In a race, each expectation applies to the accepted or to the rejected requests. */
export function judgeEffects(row: ResolvedRow, evidence: readonly Evidence[], variables: Variables): Judgement[] {
  const late = evidence.find(({ role }) => role === 'late-check')
  const step = late && row.steps[late.step]
  if (!late || !step) return []
  const unreported = unreportedUpdates(row, late, evidence, variables)
  const commits = committing(row, evidence)
  const acts = commits.filter(({ role }) => role === 'act')
  const rejected = acts.find((one) => !isSuccess(one))
  // Answers before a rejection report their own transactions, so only the rejected request can have an unreported one.
  const accepted = (rejected ? acts : commits).findLast(isSuccess)
  return checksOn(step, 'effects').flatMap(([expectation, check]) => {
    const answered = check.when === 'accepted' ? accepted : rejected
    return answered ? [toJudgement(late, expectation, findingOf(check.untold, unreported, answered))] : []
  })
}

const findingOf = (permitted: number, unreported: readonly string[], { response }: Evidence): Finding => ({
  subject: 'ledger',
  check: 'effects',
  wanted: [String(permitted)],
  found: unreported.length === 0 ? [] : [String(response?.status ?? ''), ...unreported],
  met: unreported.length <= permitted,
})

function unreportedUpdates(
  row: ResolvedRow,
  late: Evidence,
  evidence: readonly Evidence[],
  variables: Variables,
): string[] {
  const commits = committing(row, evidence)
  const completions = completionsOf(row, evidence, String(variables.get('row') ?? ''))
  const answered = commits.flatMap((one) => updateIdIn(one) ?? [])
  const completed = completions.flatMap(({ updateId, isRejected }) => (isRejected ? [] : [updateId]))
  // A request that is rejected at once may also have a rejected completion.
  const rejected = completions.filter(({ isRejected }) => isRejected).length - commits.filter(isRejection).length
  const open = commits.filter((one) => updateIdIn(one) === undefined && mayHaveCommitted(one)).length
  const completedLate = completed.filter((id) => !answered.includes(id)).slice(0, open)
  const reported = new Set([...answered, ...completedLate])
  const unknown = Math.max(0, open - completedLate.length - Math.max(0, rejected))
  const seen = updatesIn(late)
  // An answer with a wrong update id reports its transaction, too. Other expectations judge the id.
  const misnamed = answered.filter((id) => !seen.includes(id)).length
  return seen.filter((id) => !reported.has(id)).slice(unknown + misnamed)
}

const committing = ({ steps }: ResolvedRow, evidence: readonly Evidence[]): Evidence[] =>
  evidence.filter(
    ({ role, step }) => role !== 'late-check' && operationNamed(steps[step]?.operation ?? '')?.commits === true,
  )

/** Undefined also after a rejection. */
export function updateIdIn(exchange: Evidence): string | undefined {
  if (!isSuccess(exchange)) return undefined
  const answer = answerOf(exchange)?.json
  return stringAt(answer, '/updateId') ?? stringAt(answer, '/transaction/updateId')
}

/** Only a 4xx states that the request has no effect. */
const mayHaveCommitted = (one: Evidence): boolean =>
  one.problem?.code !== 'not-sent' && one.problem?.code !== 'refused' && !isRejection(one)

interface Completion {
  updateId: string
  isRejected: boolean
}

function completionsOf({ steps }: ResolvedRow, evidence: readonly Evidence[], marker: string): Completion[] {
  const lists = evidence.filter(({ role, step }) => role !== 'late-check' && steps[step]?.operation === 'completions')
  const found = new Map<string, Completion>()
  for (const item of lists.flatMap((one) => itemsAt(answerOf(one)?.json, ''))) {
    const value = valueAt(item, '/completionResponse/Completion/value')
    const ids = ['/commandId', '/submissionId'].map((pointer) => String(valueAt(value, pointer) ?? ''))
    if (value === undefined || !ids.some((id) => id.includes(marker))) continue
    const isRejected = Number(valueAt(value, '/status/code') ?? 0) !== 0
    found.set(JSON.stringify(value), { updateId: String(valueAt(value, '/updateId') ?? ''), isRejected })
  }
  return [...found.values()]
}

const updatesIn = (late: Evidence): string[] =>
  itemsAt(answerOf(late)?.json, '').flatMap((item) => stringAt(item, '/update/Transaction/value/updateId') ?? [])
