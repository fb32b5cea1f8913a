import type { Reason } from '../../record/types/reason.js'
import { TargetError } from '../target/target.js'

/** `stop`: a run cannot start. */
export type Level = 'good' | 'warning' | 'stop' | 'unreachable'

/** In the order of the output. Codes are stable. */
export const findingCodes = {
  way: [
    ...(['proxy', 'name', 'name-unknown', 'no-handshake'] as const),
    ...(['certificate', 'certificate-ends', 'certificate-untrusted', 'certificate-unchecked'] as const),
    ...(['answers', 'not-reached', 'not-ready', 'not-serving', 'server-error'] as const),
    ...(['redirect', 'web-page', 'no-version', 'no-json'] as const),
  ],
  clock: ['clock', 'clock-differs', 'clock-untold'],
  version: ['version', 'profile-selected', 'profile-unfit', 'version-unknown', 'version-untold'],
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

interface FindingDetails {
  because?: Reason
  /** Complete sentences. */
  advice?: string
  facts?: Readonly<Record<string, unknown>>
}

export interface Finding extends FindingDetails {
  about: Subject
  code: (typeof findingCodes)[Subject][number]
  level: Level
  /** A sentence without its full stop. */
  what: string
}

const findingOf =
  (level: Level) =>
  <About extends Subject>(
    about: About,
    code: (typeof findingCodes)[About][number],
    what: string,
    more: FindingDetails = {},
  ): Finding => ({ about, code, level, what, ...more })

export const good = findingOf('good')
export const warning = findingOf('warning')
export const stop = findingOf('stop')
export const unreachable = findingOf('unreachable')

export const preventsRun = ({ level }: Finding): boolean => level === 'stop' || level === 'unreachable'

export class UnusableTarget extends TargetError {
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ what }) => what).join('\n'))
    this.findings = findings
  }
}
