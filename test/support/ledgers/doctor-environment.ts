import { findingText } from '../../../reports/wording/finding-text.js'
import { type Diagnosis, diagnose } from '../../../runner/preflight/diagnose.js'
import type { RunOptions } from '../../../runner/preflight/run-options.js'
import { systemClock } from '../../../runner/target/credentials/held-token.js'
import { fixedToken } from '../../../runner/target/credentials/token-sources.js'
import type { Target } from '../../../runner/target/target.js'
import { defaultAccess } from '../../../runner/target/target-file.js'
import { readTarget } from '../suites/plain-target.js'
import { accepted, caseOf, location, profileOf, rowOf, stepOf, suiteOf } from '../suites/small-suite.js'

export const reference = profileOf({ name: 'new', line: '3.5' })
export const suite = suiteOf({
  profiles: new Map([
    ['new', reference],
    ['old', profileOf({ name: 'old', line: '3.4' })],
  ]),
  actors: new Map([['operator', { name: 'operator', rights: ['ParticipantAdmin'], location }]]),
  cases: [
    caseOf('ANY', [rowOf('one', [stepOf(accepted)]), rowOf('two', [stepOf(accepted)], { needs: ['authorization'] })]),
  ],
})

export function optionsOf(target: Target, given: Partial<RunOptions> = {}): RunOptions {
  const required = { embedded: false, recordFile: '/nowhere', tool: { name: 'test', version: '0' }, concurrency: 1 }
  return { suite, profile: reference, target, access: defaultAccess, ...required, timeLimit: 30_000, ...given }
}

export const diagnoseTarget = (
  target: Target,
  given: Partial<RunOptions> = {},
  notices: string[] = [],
): Promise<Diagnosis> => diagnose(optionsOf(target, given), new Map(), (sentence) => notices.push(sentence))

export const withToken = (url: string, token: string, user = 'participant_admin'): Target => ({
  ...readTarget(url, 'none'),
  authorization: { kind: 'given' },
  callers: new Map([['administrator', { user, source: fixedToken(token, 'token of a test', systemClock) }]]),
})

export const shown = ({ findings }: Diagnosis, code: string): string =>
  findings.flatMap((one) => (one.code === code ? [`${one.level}: ${findingText(one)}`] : [])).join('\n')
