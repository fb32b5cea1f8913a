/** What shows of a target before anything is made there, each as a sentence, with what to do about it. */
import { TargetError } from '../target/target.js'

/** `stop`: a run makes no sense. `unreachable`: nothing could be asked at all. */
export type Level = 'good' | 'warning' | 'stop' | 'unreachable'

/** In the order in which they are told. */
export const subjects = [
  'way',
  'clock',
  'version',
  'credentials',
  'synchronizers',
  'parties',
  'packages',
  'leftovers',
  'rows',
] as const

export interface Finding {
  about: (typeof subjects)[number]
  /** The same for ever, whatever the sentence says. */
  code: string
  level: Level
  /** A sentence without its full stop. */
  what: string
  /** What to do about it. */
  advice?: string
  /** The same for machines. */
  facts?: Readonly<Record<string, unknown>>
}

/** What a finding is about, its code, its sentence and the rest, by how grave it is. */
type Teller = (about: Finding['about'], code: string, what: string, more?: Pick<Finding, 'advice' | 'facts'>) => Finding

const teller =
  (level: Level): Teller =>
  (about, code, what, more = {}) => ({ about, code, level, what, ...more })

export const good = teller('good')
export const warning = teller('warning')
export const stop = teller('stop')
export const unreachable = teller('unreachable')

export const stops = ({ level }: Finding): boolean => level === 'stop' || level === 'unreachable'

/** For people: `what; advice`. */
export const inWords = ({ what, advice }: Pick<Finding, 'what' | 'advice'>): string =>
  advice === undefined ? what : `${what}; ${advice}`

/** A run makes no sense on this target, as it is now: its message has every reason, one a line. */
export class SenselessRun extends TargetError {
  constructor(findings: readonly Finding[]) {
    super(findings.map(inWords).join('\n'))
  }
}
