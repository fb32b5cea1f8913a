/** Offsets of completions in answers beside the completions themselves. Pure. */
import type { OracleFinding, RecordedRead, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { offsetIn } from '../execute/completions-watch.js'
import { answerOf, sentJson } from '../judge/answer.js'
import { itemsAt, stringAt, valueAt } from '../template/pointer.js'
import { effectsOf, type ReconciledRun } from './reconciled-run.js'
import { type AcceptedRequest, acceptedIn, actingParties } from './run-requests.js'
import { completionIn, completionOffsetOf, type Reader } from './update-pages.js'

interface StatedOffset extends AcceptedRequest {
  updateId: string
  offset: number
}

/** Other expectations judge an offset that is no integer. */
function statedOffset({ updateId, ...one }: AcceptedRequest): StatedOffset[] {
  const offset = offsetIn(valueAt(answerOf(one.evidence)?.json, '/completionOffset'))
  return updateId === undefined || offset === 0 ? [] : [{ ...one, updateId, offset }]
}

/** Readers whose completions show offsets that answers stated. */
export function completionReaders(readers: readonly Reader[], rows: readonly RunRow[]): Reader[] {
  const acting = new Set(
    acceptedIn(rows, {}).flatMap((one) => (statedOffset(one).length > 0 ? actingParties(one.evidence) : [])),
  )
  return readers.filter(({ parties }) => parties.some((party) => acting.has(party)))
}

/** Without a completion of the transaction and the command, nothing contradicts the answer. */
export function misstatedOffsets(
  { rows, accepted, control }: ReconciledRun,
  reads: readonly RecordedRead[],
): OracleFinding[] {
  const completed = completedOffsets(rows, reads)
  const stated = [...accepted, ...(control ? [control] : [])].flatMap(statedOffset)
  return stated.flatMap(({ operation, row, evidence, updateId, offset }): OracleFinding[] => {
    const commandId = stringAt(sentJson(evidence), '/commandId') ?? ''
    const offsets = completed.get(keyOf(commandId, updateId))
    if (!offsets || offsets.has(offset)) return []
    const [other = 0] = offsets
    // Only the request under test decides about its row.
    const tested = row?.resolved.steps[evidence.step]?.role === 'act' ? row : undefined
    return [
      {
        kind: 'contradicted',
        oracle: 'completions',
        reason: { code: 'completion-offset-wrong', operation, update: updateId, offset, completed: other },
        rules: tested ? rulesOfAcceptance(tested.resolved) : [],
        rows: tested ? [tested.id] : [],
      },
    ]
  })
}

const rulesOfAcceptance = (row: ResolvedRow): string[] =>
  effectsOf(row).flatMap(({ rules, anyOf }) =>
    anyOf.some(({ checks }) => checks.some((check) => check.on === 'effects' && check.when === 'accepted'))
      ? rules
      : [],
  )

/** By command and update id. A participant may complete a repeated request with its first transaction. */
function completedOffsets(rows: readonly RunRow[], reads: readonly RecordedRead[]): Map<string, Set<number>> {
  const ofRows = rows.flatMap(({ evidence, resolved }) =>
    evidence.filter(({ step }) => resolved.steps[step]?.operation === 'completions'),
  )
  const last = reads.flatMap(({ operation, evidence }) => (operation === 'completions' ? [evidence] : []))
  const found = new Map<string, Set<number>>()
  for (const item of [...ofRows, ...last].flatMap((one) => itemsAt(answerOf(one)?.json, ''))) {
    const offset = completionOffsetOf(item)
    if (offset === 0) continue
    const value = completionIn(item)
    const key = keyOf(stringAt(value, '/commandId') ?? '', stringAt(value, '/updateId') ?? '')
    found.set(key, (found.get(key) ?? new Set()).add(offset))
  }
  return found
}

const keyOf = (commandId: string, updateId: string): string => JSON.stringify([commandId, updateId])
