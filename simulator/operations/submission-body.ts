import { printInstant } from '../../lib/json/instant.js'
import { command, deduplicationPeriod, disclosedContract, duration, prefetchContractKey } from '../codec/commands.js'
import { absentable, type Decoder, int32, list, mapped, members, optional, required, text } from '../json/decode.js'
import { instant } from '../json/instant.js'
import type { DeduplicationPeriod } from '../ledger/state/deduplication.js'
import type { Submission } from '../ledger/transactions/transaction.js'

export const submissionBody = mapped(
  members({
    commands: required(list(command)),
    commandId: required(text),
    actAs: required(list(text)),
    userId: optional(text, ''),
    readAs: optional(list(text), []),
    workflowId: optional(text, ''),
    deduplicationPeriod: absentable(deduplicationPeriod),
    minLedgerTimeAbs: absentable(instant),
    minLedgerTimeRel: absentable(duration),
    submissionId: optional(text, ''),
    disclosedContracts: optional(list(disclosedContract), []),
    synchronizerId: optional(text, ''),
    packageIdSelectionPreference: optional(list(text), []),
    prefetchContractKeys: optional(list(prefetchContractKey), []),
    tapsMaxPasses: absentable(int32),
  }),
  ({ packageIdSelectionPreference, prefetchContractKeys, deduplicationPeriod: deduplication, ...rest }) => ({
    ...rest,
    preference: packageIdSelectionPreference,
    prefetch: prefetchContractKeys,
    deduplication: deduplication?.period,
  }),
)

export type SubmissionBody = typeof submissionBody extends Decoder<infer T> ? T : never

/** For the context of errors. The default period is the longest. */
export function printSubmission(
  submission: Submission,
  period: DeduplicationPeriod | undefined,
  submittedAt: bigint,
): string {
  const { readAs, submissionId, actAs, commandId, userId, workflowId } = submission
  return (
    `{readAs: ${quoted(readAs)}, deduplicationPeriod: ${printPeriod(period)}, submittedAt: '${printInstant(submittedAt)}', ` +
    `submissionId: '${submissionId}', actAs: ${quoted(actAs)}, commandId: '${commandId}', userId: '${userId}', workflowId: ${workflowId}}`
  )
}

export function printPreparation({ readAs, actAs, commandId, userId }: Submission, preparedAt: bigint): string {
  return (
    `{readAs: ${quoted(readAs)}, deduplicationPeriod: {duration: 'PT0S'}, submittedAt: '${printInstant(preparedAt)}', ` +
    `submissionId: , actAs: ${quoted(actAs)}, commandId: '${commandId}', userId: '${userId}', workflowId: }`
  )
}

const longest: DeduplicationPeriod = { kind: 'duration', nanos: 7n * 24n * 3_600_000_000_000n }

const printPeriod = (period: DeduplicationPeriod = longest): string =>
  period.kind === 'offset' ? `{offset: ${period.offset}}` : `{duration: '${printDuration(period.nanos)}'}`

/** As Java: `PT168H`, `PT1M0.5S`. */
function printDuration(nanos: bigint): string {
  const whole = nanos / 1_000_000_000n
  const [hours, minutes, seconds] = [whole / 3600n, (whole / 60n) % 60n, whole % 60n]
  const fraction = String(nanos % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const parts = [
    hours > 0n && `${hours}H`,
    minutes > 0n && `${minutes}M`,
    (seconds > 0n || fraction !== '') && `${seconds}${fraction && `.${fraction}`}S`,
  ]
  return `PT${parts.filter(Boolean).join('') || '0S'}`
}

const quoted = (parties: readonly string[]): string => `[${parties.map((party) => `'${party}'`).join(', ')}]`
