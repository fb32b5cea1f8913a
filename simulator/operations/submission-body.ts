import { lastMicro, printInstant } from '../../lib/json/instant.js'
import type { Behaviour } from '../base/behaviour.js'
import {
  invalidArgument,
  invalidField,
  ledgerTimeOutOfBound,
  missingField,
  negativeOffset,
  RedactedError,
  ReferenceFault,
} from '../base/errors.js'
import {
  command,
  deduplicationPeriod,
  disclosedContract,
  duration,
  type PrefetchBody,
  prefetchContractKey,
} from '../codec/commands.js'
import { decodeValue, resolve, templatesMissing } from '../codec/conversion.js'
import { checkDaml } from '../json/daml-check.js'
import {
  absentable,
  contentOf,
  type DecodedBy,
  emptyCase,
  int32,
  list,
  mapped,
  members,
  message,
  optional,
  required,
  text,
  union,
} from '../json/decode.js'
import { instant } from '../json/times.js'
import { type DeduplicationPeriod, printDuration } from '../ledger/state/deduplication.js'
import type { Submission } from '../ledger/transactions/transaction.js'
import type { Participant } from '../participant/participant.js'

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

export type SubmissionBody = DecodedBy<typeof submissionBody>

/** For the context of errors. The default period is the longest. */
export function printSubmission(
  submission: Submission,
  period: DeduplicationPeriod | undefined,
  submittedAt: bigint,
): string {
  const { readAs, submissionId, actAs, commandId, userId, workflowId } = submission
  return (
    `{readAs: ${quoted(readAs)}, deduplicationPeriod: ${printPeriod(period)}, submittedAt: '${printInstant(submittedAt)}', ` +
    `submissionId: ${submissionId && `'${submissionId}'`}, actAs: ${quoted(actAs)}, commandId: '${commandId}', userId: '${userId}', workflowId: ${workflowId}}`
  )
}

const longest: DeduplicationPeriod = { kind: 'duration', nanos: 7n * 24n * 3_600_000_000_000n }

const printPeriod = (period: DeduplicationPeriod = longest): string =>
  period.kind === 'offset' ? `{offset: ${period.offset}}` : `{duration: '${printDuration(period.nanos)}'}`

const quoted = (parties: readonly string[]): string => `[${parties.map((party) => `'${party}'`).join(', ')}]`

/** `unsupported`: the reference fails after authorization. */
export interface Prefetched {
  limit: bigint | undefined
  unsupported: boolean
  problem: string | undefined
}

/** Resolves and decodes the keys; prefetching only warms caches. Throws if the template has no key. */
export function convertPrefetch(bodies: readonly PrefetchBody[], participant: Participant): Prefetched[] {
  const { ledger, behaviour } = participant
  return bodies.map(({ templateId, contractKey, limit }) => {
    if (!templateId) throw missingField('request', 'template_id')
    if (templateId.package.startsWith('#') && behaviour.has('server-error-for-prefetch-by-name')) {
      return { limit, unsupported: true, problem: undefined }
    }
    const id = resolve(templateId, { actAs: [], preference: [], synchronizerId: '', packageNames: [] }, ledger)
    const key = ledger.packages.template(id)?.key
    if (!key) throw templatesMissing(id)
    const found = checkDaml(key, decodeValue(key, contractKey, behaviour)).find(({ layer }) => layer === 'request')
    return { limit, unsupported: false, problem: found?.message }
  })
}

/** The reference fails with an internal error for a template id by package name. */
export function refuseUnsupported(prefetched: readonly Prefetched[]): void {
  if (prefetched.some(({ unsupported }) => unsupported)) throw new RedactedError('INTERNAL')
}

/** Nanoseconds from the first instant of Java. */
const longestDuration = 31_557_014_167_219_200n * 1_000_000_000n

function refuseEndless(nanos: bigint): void {
  if (nanos < longestDuration) return
  const proper = invalidField('request', 'deduplication_period', 'Duration is out of range')
  throw new ReferenceFault(new RedactedError('INTERNAL'), proper, 'server-error-for-endless-duration')
}

/** The reference fails on fractions of a microsecond. */
export function refuseBadPeriod(period: DeduplicationPeriod | undefined, behaviour: Behaviour): void {
  if (period?.kind === 'duration') {
    if (period.nanos < 0n) throw invalidField('request', 'deduplication_period', 'Duration must be positive')
    refuseEndless(period.nanos)
    if (period.nanos % 1000n !== 0n && behaviour.has('server-error-for-fine-duration'))
      throw new RedactedError('INTERNAL', { traced: false })
  }
  if (period?.kind !== 'offset' || period.offset >= 0n) return
  throw negativeOffset(
    'request',
    `Offset ${period.offset} in deduplication_period is a negative integer: the deduplication offset has to be a non-negative integer and not ${period.offset}`,
  )
}

interface LedgerTimeBounds {
  /** Microseconds since 1970. */
  minLedgerTimeAbs: bigint | undefined
  /** Microseconds from now. */
  minLedgerTimeRel: bigint | undefined
}

export const noBound: LedgerTimeBounds = { minLedgerTimeAbs: undefined, minLedgerTimeRel: undefined }

export const minLedgerTimeBody = mapped(
  message({
    time: optional(
      union({
        MinLedgerTimeAbs: mapped(contentOf(instant), (minLedgerTimeAbs) => ({ ...noBound, minLedgerTimeAbs })),
        MinLedgerTimeRel: mapped(contentOf(duration), (minLedgerTimeRel) => ({ ...noBound, minLedgerTimeRel })),
        Empty: mapped(emptyCase, () => noBound),
      }),
      noBound,
    ),
  }),
  ({ time }) => time,
)

/** Before now has no effect, so only the upper end counts. Throws `INVALID_ARGUMENT`. */
export function refuseUnrepresentable(time: bigint | undefined): void {
  if (time === undefined || time <= lastMicro) return
  const problem = `Can not represent command ledger time ${printInstant(time)} as a Daml timestamp`
  throw invalidArgument('request', problem)
}

/** Microseconds since 1970. */
export function minLedgerTime(
  { minLedgerTimeAbs, minLedgerTimeRel }: LedgerTimeBounds,
  now: bigint,
): bigint | undefined {
  return minLedgerTimeAbs ?? (minLedgerTimeRel === undefined ? undefined : now + minLedgerTimeRel)
}

/**
 * Waits for the bound. Beyond the time limit it is a client error, which the reference answers with a server error.
 * Rejects with `LedgerError` or `RedactedError`.
 */
export async function reachMinLedgerTime(
  bounds: LedgerTimeBounds,
  { ledger: { clock }, behaviour, answerLimit }: Participant,
  overdue: AbortSignal,
): Promise<bigint | undefined> {
  const now = clock.now()
  const time = minLedgerTime(bounds, now)
  if (time === undefined) return undefined
  if (time - now > BigInt(answerLimit) * 1000n && !behaviour.has('server-error-for-far-ledger-time')) {
    const [wanted, found] = [printInstant(time), printInstant(now)]
    throw ledgerTimeOutOfBound('service', `The ledger time ${wanted} is too far ahead: it is ${found}`)
  }
  await clock.reach(time, overdue)
  if (overdue.aborted) throw new RedactedError('INTERNAL')
  return time
}
