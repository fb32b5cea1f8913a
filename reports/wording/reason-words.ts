import { operationNamed } from '../../interface/operations.js'
import type { Permission } from '../../record/types/effects.js'
import type {
  CheckedFact,
  EndedEarly,
  MissingCapture,
  Reason,
  ReasonCode,
  ReasonOf,
  UnreadyPackage,
  Unsuitability,
} from '../../record/types/reason.js'
import { foundValueText, wantedClause } from './fact-text.js'
import { count } from './words.js'

/** A forged record can contain any number of nested reasons. */
const deepest = 8

type Say = (because: Reason) => string

/**
 * One sentence without its full stop.
 * @example reasonText({ code: 'evidence-mismatch' }) // 'the evidence does not match the steps of this row'
 */
export function reasonText(reason: Reason, depth = 0): string {
  if (depth > deepest) return '…'
  const inWords = words[reason.code] as (reason: Reason, say: Say) => string // the words of its code
  return inWords(reason, (because) => reasonText(because, depth + 1))
}

/** `body /offset: expected greater than 7, found 6`; a finding about the ledger alone. */
function factText(fact: CheckedFact): string {
  const { subject, pointer = '', check } = fact
  if (check === 'effects' || check === 'oracle') return foundText(fact)
  const where = pointer === '' ? subject : `${subject} ${pointer}`
  return `${where}: ${wantedClause(fact)}, found ${foundText(fact)}`
}

export const foundText = (fact: CheckedFact): string =>
  fact.because === undefined ? foundValueText(fact) : reasonText(fact.because)

const words: { readonly [Code in ReasonCode]: (reason: ReasonOf<Code>, say: Say) => string } = {
  'lacks-capability': ({ name, because }, say) => `the target lacks the capability ${name}${after(because, say)}`,
  'lacks-permission': ({ permissions: [first = 'read'], allow, because }, say) =>
    `${permissionWords[first]}${after(because, say)}; not permitted without --allow ${allow.join(' ')}`,
  'operation-missing': ({ operation, status }) =>
    `${callOf(operation)} is not implemented (${status}${status === 404 ? ' without the member code' : ''})`,
  'operation-unreachable': ({ operation }) => `the settings mark ${operation} as unreachable`,
  'protocol-version-unknown': () =>
    'the row depends on the protocol version, and the target prepares no transaction that shows it. Set --protocol-version',
  'value-unknown': ({ name, setting }) =>
    `the value of ${name} is unknown: ${setting === undefined ? 'the caller may not read it' : `add ${setting} to a target file`}`,
  'party-not-creatable': ({ party, because }, say) => `the party ${party} cannot be created${after(because, say)}`,
  'party-undeclared': ({ party }) => `the party ${party} is not declared, and allocate-party is unreachable`,
  'external-party-impossible': ({ party }) =>
    `the external party ${party} cannot be created, and the target file has no presigned transactions of it`,
  'nothing-prepared': () =>
    'the row needs a prepared transaction, but prepare is unreachable and no presigned transaction replaces it',
  'token-not-signable': ({ token, because }, say) => `the token ${token} cannot be created${after(because, say)}`,
  'audience-fixed': ({ token }) => `the token ${token} needs a wrong audience, but the settings define the audience`,
  'no-suitable-user': ({ actor, because }) =>
    `no available user can act as ${actor}: ${unsuitabilityText(because, actor)}`,
  'nothing-permitted': () => 'the run may not create anything',
  'creation-unreachable': () => 'the settings mark allocate-party and create-user as unreachable',
  'no-administrator': () => 'the run has no administrator credential',
  'no-authorization': () => 'the target has no authorization',
  'no-signing-key': () => 'the run has no signing key',
  'proxy-used': () => 'the connection uses a proxy',
  'synchronizer-unknown': () => 'the synchronizer is unknown',
  'synchronizer-id-form': ({ found, message }) => `the synchronizer id ${found} has another form (${message})`,
  'synchronizer-not-named': () => 'no prepared or presigned transaction names the synchronizer',
  'protocol-version-too-low': ({ version }) => `protocol version ${version} does not have it`,
  'scheme-not-prepared': () => 'the target prepares no transaction with it',
  'no-packages': () => 'the settings name no packages',
  'packages-unready': ({ packages }) => packagesText(packages),
  'request-rejected': ({ operation, status, answer }) =>
    `${callOf(operation)} returned ${status}${answer === '' ? '' : `: ${answer}`}`,
  'request-failed': ({ message }) => message,
  'fixture-failed': ({ fixture, because }, say) => `the fixture ${fixture} failed${after(because, say)}`,
  'nothing-accepted': ({ operation, because }, say) =>
    `${operation} accepted no valid request in this run${after(because, say)}`,
  'fixture-declined': ({ fixture, because }, say) =>
    `the participant declines an optional feature, so the fixture ${fixture} is missing${after(because, say)}`,
  'unexpected-answer': ({ step, unmet, answer }) =>
    `step ${step} failed: ${factText(unmet)}${answer === undefined ? '' : ` ${answer}`}`,
  'not-captured': ({ step, missing }) => `step ${step} did not return ${missing.map(captureText).join(', ')}`,
  'step-declined': ({ step, status, answer }) =>
    `the participant declines an optional feature: step ${step} returned ${status ?? 'no answer'}${answer === undefined ? '' : ` ${answer}`}`,
  'member-omitted': ({ step, pointer }) =>
    `the participant declines an optional feature: the answer to step ${step} omits ${pointer}`,
  'presigned-used': ({ party }) => `all presigned transactions of ${party} are used`,
  'presigned-unreadable': ({ party, because }, say) =>
    `the run cannot read whether the presigned transactions of ${party} are used${after(because, say)}`,
  'presigned-missing': ({ fixture }) => `no transaction of ${fixture} is presigned`,
  'signature-missing': ({ key }) => `the target file has no signature by the key ${key}… over these bytes`,
  'prepared-encoding-unknown': () => 'the row alters or hashes the prepared transaction, whose encoding is unknown',
  'vetting-unrestorable': ({ because }, say) =>
    `the run could not restore the vetting, because its state is unknown${after(because, say)}`,
  'vetting-not-restored': ({ rows }) => `the vetting that earlier rows changed is not restored (${rows.join(', ')})`,
  'journal-unwritable': ({ message }) => message,
  outage: ({ from, to, side }) =>
    to === undefined
      ? `the ${side ?? 'target'} stopped answering at ${clockTime(from)} (UTC)`
      : `the ${side ?? 'target'} did not answer from ${clockTime(from)} to ${clockTime(to)} (UTC)`,
  'path-silent': ({ path, times }) =>
    `${path} timed out ${times === 1 ? 'once' : `${times} times`} and is no longer sent`,
  'too-busy': ({ seconds, requested, side }) =>
    `the ${side ?? 'target'} returned 429 ${requested ? 'and requested to wait' : 'for'} more than ${seconds} s`,
  'busy-at-end': ({ side }) => `the ${side ?? 'target'} returned 429, and the run ended before the retry`,
  'run-ended': ({ ended }) => (ended === undefined ? 'the run ended early' : endText(ended).replace(/\.$/, '')),
  'step-not-sent': ({ step, message }) => `step ${step} was not sent: ${message}`,
  'captured-value-unusable': ({ step, source, members, message }) =>
    `step ${step} cannot be sent with ${members.map(captureText).join(', ')} from step ${source}: ${message}`,
  'connection-closed': () => 'the participant closes the connection after each answer, as HTTP permits',
  'evidence-mismatch': () => 'the evidence does not match the steps of this row',
  'tool-fault': ({ fault }) => `conform could not judge this row: ${fault}`,
  unmet: ({ unmet }) => factText(unmet),
  'setup-failed': ({ step, unmet }) => `setup step ${step} failed: ${factText(unmet)}`,
  'step-failed': ({ step, operation, unmet }) => `step ${step} (${operation}) failed: ${factText(unmet)}`,
  'stopped-answering': ({ unmet }) => `the target stopped answering after the request: ${factText(unmet)}`,
  'probe-failed': ({ unmet }) => `the probe failed: ${factText(unmet)}`,
  'not-restored': ({ unmet }) => `the state before the row could not be restored: ${factText(unmet)}`,
  'recommendation-unmet': ({ unmet }) => `${factText(unmet)} (a recommendation)`,
  'read-fact-unmet': ({ unmet, basis }) =>
    `${factText(unmet)} (read in a source of the reference, not observed${basis === undefined ? '' : `: ${basis}`})`,
  'option-declined': ({ unmet }) => `the participant declines an optional feature: ${factText(unmet)}`,
  'not-judged-again': ({ because }, say) => `cannot be judged again from this record${after(because, say)}`,
  'control-missing': ({ operation }) =>
    `the record does not show that ${operation} accepted a valid request in this run`,
  'evidence-redacted': () => 'redaction removed secrets from its evidence',
  'evidence-cut': ({ step }) => `it contains only a part of the exchange of step ${step}`,
  'other-requests': ({ profile }) => `${profile} expects other requests`,
  'expectations-invalid': ({ fault }) => fault,
  'repeated-for-other-profile': ({ step }) =>
    `step ${step} was repeated only until it met the expectations of another profile`,
  'not-judged': () => 'not judged',
  'not-covered': () => 'not covered by a row of this run',
  unobservable: ({ message }) => `not observable in any response: ${message.replace(/\.$/, '')}`,
  'all-permitted': ({ profile }) => `the profile ${profile} permits every response of the participant`,
  'ledger-unread': () => 'the run did not read the ledger after the last row',
  'last-read-failed': (reason) => `${failedRequest(reason)} in the read after the last row`,
  'last-commit-failed': (reason) => `${failedRequest(reason)} after the last row, so no later transaction is known`,
  'offset-unusable': ({ operation, offset }) =>
    `the read after the last row is incomplete, because ${callOf(operation)} returned ${offset === undefined ? 'no offset' : `the offset ${offset}`}; an offset is an integer up to ${Number.MAX_SAFE_INTEGER}`,
  'update-pages-missing': () => 'the read after the last row lacks a page of updates, or its pages are out of order',
  'update-missing': ({ operation, update, more }) =>
    `${operation} accepted transaction ${update}, but POST /v2/updates does not show it${more === undefined ? '' : `, nor ${more} more`}`,
  'updates-empty': () => 'POST /v2/updates showed no transaction of this run',
  'completions-empty': () => 'POST /v2/commands/completions showed no completion of this run',
  'contracts-unread': () =>
    'the active contracts were not read completely after the last row, so a missing contract is not noticed',
  'contract-unexplained': ({ contract }) =>
    `POST /v2/state/active-contracts lists contract ${contract}, but POST /v2/updates does not show that it was created and is active`,
  'contract-missing': ({ contract }) =>
    `POST /v2/updates shows the active contract ${contract}, which POST /v2/state/active-contracts does not list`,
  'updates-unexplained': ({ update, offset, more }) =>
    `the ledger contains transactions of the run's parties that no request explains: update ${update} at offset ${offset}${more === undefined ? '' : `, and ${more} more`}`,
  'update-unexplained': ({ update }) =>
    `while the row ran, the participant committed update ${update}, which no request explains`,
  'execution-missing': () => 'execute accepted the request, but the ledger contains no transaction of it',
  'answer-exchanged': ({ operation, update, row }) =>
    `${operation} accepted transaction ${update}, which is that of ${row}`,
  'rejected-but-committed': ({ rows: [first, ...others], updates }) =>
    `the participant rejected a presigned transaction in ${first} and ${count(others.length, 'other row')}, but committed it: ${updatesText(updates)}`,
  'fixture-consumed': ({ fixture, row }) =>
    `${row} consumed the contract of the fixture ${fixture}, which the row uses`,
  'completion-missing': ({ row }) =>
    `POST /v2/commands/completions did not show the completion of ${row}, whose transaction POST /v2/updates shows`,
  'completion-false': ({ update, isSuccess }) =>
    isSuccess
      ? `a completion reports the success of update ${update}, but POST /v2/updates does not show it`
      : `a completion reports a failure, but POST /v2/updates shows its update ${update}`,
  'completion-offset-wrong': ({ operation, update, offset, completed }) =>
    `${operation} returned completionOffset ${offset} for update ${update}, whose completion has the offset ${completed}`,
  'vetting-hidden': ({ row }) =>
    `POST /v2/package-vetting/list showed no vetting change that the participant accepted, such as in ${row}`,
}

const after = (because: Reason | undefined, say: Say): string => (because === undefined ? '' : `: ${say(because)}`)

/** `POST /v2/updates` */
export function callOf(name: string): string {
  const { method = '', path = name } = operationNamed(name) ?? {}
  return `${method} ${path}`.trim()
}

const permissionWords: Readonly<Record<Permission, string>> = {
  read: 'the row only reads',
  write: 'the row submits transactions, or needs new parties or users',
  topology: 'the row changes package vetting',
  upload: 'the row needs an upload of packages that the target lacks',
  hazard: 'the row can stop a faulty participant',
}

function unsuitabilityText(because: Unsuitability, actor: string): string {
  switch (because.code) {
    case 'no-credential':
      return 'the settings have no credential for it'
    case 'user-shared':
      return `the user ${because.user} also serves other actors, but this actor needs its own user`
    case 'users-equal':
      return `the user ${because.user} also serves ${because.other}, and the row distinguishes the two actors`
    case 'right-missing':
      return `the user ${because.user} lacks ${because.right}`
    case 'right-surplus':
      return `the user ${because.user} also has ${because.right}, and the row tests the rights of ${actor}`
  }
}

const packageProblems: Readonly<Record<UnreadyPackage['problem'], string>> = {
  'not-uploaded': 'is not uploaded',
  'not-vetted': 'is not vetted',
  vetted: 'is vetted, but cases need it unvetted',
  bounded: 'is vetted with time bounds',
}

function packagesText(packages: readonly UnreadyPackage[]): string {
  const [first, ...others] = packages
  const more = others.length > 0 ? ` (and ${count(others.length, 'more package')})` : ''
  const isLeft = packages.some(({ problem }) => problem !== 'not-uploaded')
  const advice = isLeft
    ? '. An interrupted run may have left this vetting. conform clean restores it, and so does a run with --allow upload'
    : ''
  return first ? `${first.name} ${packageProblems[first.problem]}${more}${advice}` : 'packages are not ready'
}

function captureText({ variable, pointer, form, found }: MissingCapture): string {
  const problem = form === undefined ? '' : `: expected a ${form}, found ${found ?? 'another form'}`
  return `${variable} (${pointer})${problem}`
}

const updatesText = (ids: readonly string[]): string => ids.map((id) => `update ${id}`).join(', ')

const failedRequest = ({
  method,
  path,
  status,
  message,
}: ReasonOf<'last-read-failed' | 'last-commit-failed'>): string =>
  `${method} ${path} ${status === undefined ? `had no complete answer${message === undefined ? '' : ` (${message})`}` : `returned ${status}`}`

const clockTime = (iso: string): string => iso.slice(11, 19)

/** A complete sentence. */
export function endText(ended: EndedEarly): string {
  switch (ended.cause) {
    case 'interrupted':
      return `${ended.by} ended the run.`
    case 'time-over':
      return `The run reached its time limit of ${ended.minutes} minutes (--max-time).`
    case 'failed-enough':
      return `The run ended early: ${count(ended.failed, 'row')} failed (--fail-fast). Rows that were already sent are complete.`
    case 'target-gone':
      return `The ${ended.side ?? 'target'} ${[...stopText(ended), returnText(ended)].join(' and ')}.`
  }
}

type Gone = Extract<EndedEarly, { cause: 'target-gone' }>

const stopText = ({ from }: Gone): string[] =>
  from === undefined ? [] : [`stopped answering at ${clockTime(from)} (UTC)`]

const returnText = ({ participant }: Gone): string =>
  participant === undefined
    ? 'did not answer again'
    : `answered again as a different participant (${participant}) without its earlier state`
