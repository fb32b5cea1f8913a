/** Settings by which a run examined less than it could, or excused something: from its record alone. */
import type { RunHeader } from '../record/types/record.js'
import { count } from '../reports/wording/words.js'

/** Milliseconds after a row at which the ledger is usually read for late effects. */
const usualLateLook = 3000

export interface Restriction {
  /** A sentence without its full stop. */
  what: string
  /** `certify` does not permit the setting: another program has made the record. */
  isForbidden: boolean
}

export function restrictionsOf(header: RunHeader): Restriction[] {
  const restriction = (isForbidden: boolean) => (what: string) => ({ what, isForbidden })
  return [...forbidden(header).map(restriction(true)), ...permitted(header).map(restriction(false))]
}

function forbidden({
  only,
  selection,
  waivers = [],
  target,
  resumes,
  merged,
  judgedAgain,
  minJudged,
}: RunHeader): string[] {
  return sentencesIn([
    only !== undefined && !isFurther(selection) && `only rows that match ${JSON.stringify(only)} were run`,
    waivers.length > 0 && `${count(waivers.length, 'waiver')} excused failures`,
    target.connection?.insecure && 'TLS certificates were not checked: another server may have answered',
    resumes && 'the run resumed another one, and kept its rows',
    merged && 'the record was merged from several runs',
    judgedAgain && `the verdicts were judged again, by another profile than ${judgedAgain.profile}`,
    minJudged !== undefined && `at least ${count(minJudged, 'row')} had to be judged, in place of all`,
  ])
}

function permitted({ target, options, timeLimits }: RunHeader): string[] {
  const lateLook = timeLimits?.lateLook
  const { connection, file, embedded } = target
  return sentencesIn([
    embedded && 'the target is the simulator that comes with the program',
    file && file.unreachable.length > 0 && `these operations were not called: ${file.unreachable.join(', ')}`,
    file && file.presigned > 0 && `${count(file.presigned, 'transaction')} came from elsewhere, presigned`,
    target.ownAudience && 'the settings name the audience or scope of all tokens',
    lateLook === undefined && 'the record does not state how late the ledger was read for late effects',
    lateLook !== undefined && !embedded && lateLook < usualLateLook && shortLook(lateLook),
    connection?.ca && 'TLS certificates of authorities that the settings name were accepted',
    connection?.proxy !== undefined && `requests went through the proxy ${connection.proxy}`,
    options?.redactions !== undefined && `${count(options.redactions, 'pattern')} of the settings redacted the record`,
    options?.protocolVersion !== undefined && 'the settings, not the target, named the protocol version',
  ])
}

/** A configuration after the first one runs the rows of the rules that are still open in the scope. */
const isFurther = ({ operations: _, ...selection }: NonNullable<RunHeader['selection']> = {}): boolean =>
  Object.keys(selection).join() === 'rules'

const sentencesIn = (all: readonly (string | boolean | undefined)[]): string[] =>
  all.filter((one) => typeof one === 'string')

const shortLook = (milliseconds: number): string =>
  `the ledger was read for late effects ${milliseconds / 1000} s after each row; ${usualLateLook / 1000} s is usual`
