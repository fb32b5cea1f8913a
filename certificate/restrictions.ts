import type { RunHeader, RunRecord } from '../record/types/record.js'
import { reasonText } from '../reports/wording/reason-words.js'
import { count } from '../reports/wording/words.js'

/** Milliseconds between a row and its late-effects check. */
const defaultDelay = 3000

export interface Restriction {
  what: string
  /** `certify` rejects the setting. */
  isForbidden: boolean
}

export function restrictionsOf(header: RunHeader): Restriction[] {
  const restriction = (isForbidden: boolean) => (what: string) => ({ what, isForbidden })
  return [...forbidden(header).map(restriction(true)), ...permitted(header).map(restriction(false))]
}

/** As `restrictionsOf`, with those that the reads of the ledger show. */
export const restrictionsIn = ({ header, oracles }: RunRecord): Restriction[] => [
  ...restrictionsOf(header),
  ...(oracles?.findings ?? []).flatMap(({ kind, reason }) =>
    kind === 'stated' ? [{ what: reasonText(reason), isForbidden: false }] : [],
  ),
]

/** Of each certificate: no run can exclude it (docs/trust.md). */
const recognition =
  'a participant that recognizes the requests of the suite could answer other clients differently; no run shows this'

function forbidden({
  only,
  selection,
  waivers = [],
  target,
  resumes,
  merged,
  judgedAgain,
  minJudged,
  repeat,
}: RunHeader): string[] {
  return sentencesIn([
    only !== undefined && !isFurther(selection) && `only rows that match ${JSON.stringify(only)} were run`,
    waivers.length > 0 && `${count(waivers.length, 'waiver')} excused failures`,
    target.connection?.insecure && 'TLS certificates were not checked: another server may have answered',
    resumes && 'the run resumed an earlier run and kept its rows',
    merged && 'the record was merged from several runs',
    judgedAgain && `the rows were judged again; the run itself used the profile ${judgedAgain.profile}`,
    minJudged !== undefined && `the run required verdicts for only ${count(minJudged, 'row')}, not for all`,
    repeat !== undefined &&
      `each row was sent ${repeat} times, so the run did not search transactions without a request`,
  ])
}

function permitted(header: RunHeader): string[] {
  const { target, options, timeLimits, profile, callers = [], settings, configurations = [] } = header
  const delay = timeLimits?.lateCheck
  const { connection, file, embedded } = target
  const participants = new Set(configurations.flatMap(({ participant }) => participant ?? []))
  return sentencesIn([
    participants.size > 1 &&
      !embedded &&
      `the configurations are of ${participants.size} participants: ${[...participants].join(', ')}`,
    profile.file && `the profile ${profile.name} is a file of the user, and no part of the suite`,
    embedded && 'the target is the embedded simulator',
    file && file.unreachable.length > 0 && `these operations were not called: ${file.unreachable.join(', ')}`,
    file?.given && `the settings state the values of ${file.given.join(', ')}, so no response of the run confirms them`,
    settings?.parties && `the settings name the parties of ${Object.keys(settings.parties).join(', ')}`,
    !embedded && settings?.claims && `the settings declare ${Object.keys(settings.claims).join(', ')}`,
    settings?.synchronizer !== undefined && 'the settings name the synchronizer',
    ...callers.map(
      ({ user, declared }) => declared && `the settings, not the target, state the rights of the user ${user}`,
    ),
    file && file.presigned > 0 && `${count(file.presigned, 'transaction')} used signatures from outside the run`,
    target.ownAudience && 'the settings define the audience or scope of all tokens',
    delay === undefined && 'the record does not state the delay of the late-effects check',
    delay !== undefined && !embedded && delay < defaultDelay && shortDelay(delay),
    connection?.ca && 'the settings added trusted certificate authorities',
    connection?.clientCertificate && 'the run sent a client certificate',
    connection?.proxy !== undefined && `requests went through the proxy ${connection.proxy}`,
    options?.redactions !== undefined &&
      `${count(options.redactions, 'pattern')} in the settings redacted parts of the record`,
    settings?.protocolVersion !== undefined && 'the settings, not the target, state the protocol version',
    recognition,
  ])
}

/** A later configuration selects only rules that earlier ones left open. */
const isFurther = ({ operations: _, ...selection }: NonNullable<RunHeader['selection']> = {}): boolean =>
  Object.keys(selection).join() === 'rules'

const sentencesIn = (all: readonly (string | boolean | undefined)[]): string[] => [
  ...new Set(all.filter((one) => typeof one === 'string')),
]

const shortDelay = (milliseconds: number): string =>
  `late effects were checked ${milliseconds / 1000} s after each row; the default is ${defaultDelay / 1000} s`
