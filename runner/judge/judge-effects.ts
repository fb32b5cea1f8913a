/** Judges what the ledger showed of a row a while after its end: what its answers told of, and nothing else. Pure. */

import { type Operation, operations, supportOperations } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import { expectationsOf } from '../../record/judgements/references.js'
import type { Evidence, Judgement } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { valueAt } from '../template/pointer.js'
import type { Variables } from '../template/variables.js'
import { answerOf } from './answer.js'
import type { Finding } from './evaluate-check.js'
import { toJudgement } from './judge-exchange.js'
import { isSuccess } from './sent-steps.js'

/** None without a late look. In a race each of the two expectations speaks of those that were answered so. */
export function judgeEffects(row: ResolvedRow, evidence: readonly Evidence[], variables: Variables): Judgement[] {
  const look = evidence.find(({ role }) => role === 'late-look')
  const step = look && row.steps[look.step]
  if (!look || !step) return []
  const untold = untoldUpdates(row, look, evidence, variables)
  const commits = committing(row, evidence)
  const acts = commits.filter(({ role }) => role === 'act')
  const refused = acts.find((one) => !isSuccess(one))
  // What came before a refusal was told of by itself: nothing else than the refused one is suspected.
  const accepted = (refused ? acts : commits).findLast(isSuccess)
  return [...expectationsOf(step).entries()].flatMap(([index, expectation]) =>
    expectation.anyOf
      .flatMap(({ checks }) => checks)
      .flatMap((check) => {
        if (check.on !== 'effects') return []
        const answered = check.when === 'accepted' ? accepted : refused
        if (!answered) return []
        return [toJudgement(look, [index, expectation], finding(check.untold, untold, answered))]
      }),
  )
}

function finding(allowed: number, untold: readonly string[], answered: Evidence): Finding {
  const isAccepted = isSuccess(answered)
  const status = answered.response?.status
  const fate = isAccepted ? `accepted with ${status}` : status === undefined ? 'not answered' : `refused with ${status}`
  const least = allowed === 0 ? 'no transaction' : `at most ${allowed} transaction`
  const updates = untold.map((id) => `update ${id}`).join(', ')
  return {
    subject: 'ledger',
    expected: `${least} that no answer told of`,
    actual:
      untold.length === 0
        ? 'none'
        : isAccepted
          ? `${fate}, and committed beside what it names: ${updates}`
          : `${fate}, yet committed: ${updates}`,
    met: untold.length <= allowed,
  }
}

/**
 * Ids of the updates that the look has seen, without those that answers or completions told of, and without as many as may be
 * those of answers that do not tell.
 */
function untoldUpdates(
  row: ResolvedRow,
  look: Evidence,
  evidence: readonly Evidence[],
  variables: Variables,
): string[] {
  const commits = committing(row, evidence)
  const completions = completionsOf(row, evidence, String(variables.get('row') ?? ''))
  const answered = commits.flatMap((one) => updateIn(one) ?? [])
  const completed = completions.flatMap(({ updateId, isRejected }) => (isRejected ? [] : [updateId]))
  // Who refuses at once may complete it as rejected, too.
  const rejected = completions.filter(({ isRejected }) => isRejected).length - commits.filter(isRefusal).length
  const open = commits.filter((one) => updateIn(one) === undefined && mayHaveCommitted(one)).length
  const late = completed.filter((id) => !answered.includes(id)).slice(0, open)
  const told = new Set([...answered, ...late])
  const unknown = Math.max(0, open - late.length - Math.max(0, rejected))
  const seen = updatesIn(look)
  // Who names a wrong one has told of it all the same; that the name is wrong others judge.
  const misnamed = answered.filter((id) => !seen.includes(id)).length
  return seen.filter((id) => !told.has(id)).slice(unknown + misnamed)
}

const known: ReadonlyMap<string, Operation> = new Map(Object.entries({ ...operations, ...supportOperations }))

/** Exchanges by which transactions can be committed. */
const committing = ({ steps }: ResolvedRow, evidence: readonly Evidence[]): Evidence[] =>
  evidence.filter(({ role, step }) => role !== 'late-look' && known.get(steps[step]?.operation ?? '')?.commits === true)

function updateIn(exchange: Evidence): string | undefined {
  if (!isSuccess(exchange)) return undefined
  const answer = answerOf(exchange)?.json
  const id = valueAt(answer, '/updateId') ?? valueAt(answer, '/transaction/updateId')
  return typeof id === 'string' ? id : undefined
}

const isRefusal = ({ response }: Evidence): boolean => Math.floor((response?.status ?? 0) / 100) === 4

/** Only who says that it is the client's mistake says that nothing was done. */
const mayHaveCommitted = (one: Evidence): boolean =>
  one.problem?.code !== 'not-sent' && one.problem?.code !== 'refused' && !isRefusal(one)

interface Completion {
  updateId: string
  isRejected: boolean
}

/** What completions told the row of its own submissions, each once. */
function completionsOf({ steps }: ResolvedRow, evidence: readonly Evidence[], marker: string): Completion[] {
  const lists = evidence.filter(({ role, step }) => role !== 'late-look' && steps[step]?.operation === 'completions')
  const found = new Map<string, Completion>()
  for (const item of lists.flatMap((one) => listIn(answerOf(one)?.json))) {
    const value = valueAt(item, '/completionResponse/Completion/value')
    const ids = ['/commandId', '/submissionId'].map((pointer) => String(valueAt(value, pointer) ?? ''))
    if (value === undefined || !ids.some((id) => id.includes(marker))) continue
    const isRejected = Number(valueAt(value, '/status/code') ?? 0) !== 0
    found.set(JSON.stringify(value), { updateId: String(valueAt(value, '/updateId') ?? ''), isRejected })
  }
  return [...found.values()]
}

const updatesIn = (look: Evidence): string[] =>
  listIn(answerOf(look)?.json).flatMap((item) => {
    const id = valueAt(item, '/update/Transaction/value/updateId')
    return typeof id === 'string' ? [id] : []
  })

const listIn = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])
