/** What shows of a target before anything is made there, each as a sentence, with what to do about it. */
import { TargetError } from '../target/target.js'

/** `stop`: a run makes no sense. `unreachable`: nothing could be asked at all. */
export type Level = 'good' | 'warning' | 'stop' | 'unreachable'

/** What findings are about, in the order in which it is told, and their codes, which are the same for ever whatever the sentences say. */
export const findingCodes = {
  way: [
    ...(['proxy', 'name', 'name-unknown', 'no-handshake'] as const),
    ...(['certificate', 'certificate-ends', 'certificate-untrusted', 'certificate-unchecked'] as const),
    ...(['answers', 'not-reached', 'not-ready', 'not-serving', 'server-error'] as const),
    ...(['redirect', 'web-page', 'no-version', 'no-json'] as const),
  ],
  clock: ['clock', 'clock-differs', 'clock-untold'],
  version: ['version', 'profile-unfit', 'version-untold'],
  operations: ['operations', 'operation-absent'],
  credentials: [
    ...(['open', 'caller', 'rights-untold', 'token-unavailable', 'token-wanted'] as const),
    ...(['token-refused', 'signed-token-refused', 'user-unknown'] as const),
  ],
  synchronizers: ['synchronizers', 'synchronizer-untold', 'no-synchronizer'],
  parties: [
    ...(['made', 'nothing-made', 'onboarding', 'no-onboarding'] as const),
    ...(['preparing', 'preparing-later', 'not-prepared', 'no-preparing'] as const),
    ...(['party', 'party-nowhere', 'party-untold'] as const),
  ],
  packages: ['model', 'model-missing', 'model-hindered', 'bounds', 'vetting-untold'],
  leftovers: ['left-behind'],
  rows: ['no-row', 'cannot-begin'],
} as const

type Subject = keyof typeof findingCodes

export interface Finding {
  about: Subject
  code: (typeof findingCodes)[Subject][number]
  level: Level
  /** A sentence without its full stop. */
  what: string
  /** What to do about it. */
  advice?: string
  /** The same for machines. */
  facts?: Readonly<Record<string, unknown>>
}

/** What a finding is about, its code, its sentence and the rest, by how grave it is. */
const teller =
  (level: Level) =>
  <About extends Subject>(
    about: About,
    code: (typeof findingCodes)[About][number],
    what: string,
    more: Pick<Finding, 'advice' | 'facts'> = {},
  ): Finding => ({ about, code, level, what, ...more })

export const good = teller('good')
export const warning = teller('warning')
export const stop = teller('stop')
export const unreachable = teller('unreachable')

export const preventsRun = ({ level }: Finding): boolean => level === 'stop' || level === 'unreachable'

/** For people: `what; advice`. */
const inWords = ({ what, advice }: Pick<Finding, 'what' | 'advice'>): string =>
  advice === undefined ? what : `${what}; ${advice}`

/** A run makes no sense on this target, as it is now: its message has every reason, one a line. */
export class UnusableTarget extends TargetError {
  constructor(findings: readonly Finding[]) {
    super(findings.map(inWords).join('\n'))
  }
}
