import { allowWords, credentialWords } from '../../record/types/effects.js'
import type { RunFooter, RunHeader } from '../../record/types/record.js'
import type { RecordedConnection } from '../../record/types/recorded-target.js'
import { configurationLines, textVersion } from '../wording/run-text.js'
import { count, duration, instant } from '../wording/words.js'

export type SetupFact = [name: string, value: string]

/** Facts without a value are not printed. */
type Fact = [name: string, value: string | undefined]

const hasValue = (fact: Fact): fact is SetupFact => fact[1] !== undefined

const fileInWords = ({ name, unreachable, presigned }: NonNullable<RunHeader['target']['file']>): string => {
  const without = unreachable.length > 0 ? `; unreachable: ${unreachable.join(', ')}` : ''
  return `${name || 'none'}${without}${presigned > 0 ? `; ${count(presigned, 'presigned transaction')}` : ''}`
}

const connectionInWords = ({ insecure, proxy, headers, ca, clientCertificate }: RecordedConnection): string =>
  [
    insecure && 'insecure: TLS certificate not checked',
    proxy !== undefined && `through the proxy ${proxy}`,
    ca && 'with configured trusted certificates',
    clientCertificate && 'with a client certificate',
    headers && `with the header ${headers.join(', ')}`,
  ]
    .filter((part) => typeof part === 'string')
    .join('; ')

interface Run {
  header: RunHeader
  footer?: RunFooter
  conclusion: { executed: number }
  rows: readonly unknown[]
}

export function setupFacts({ header, footer, conclusion, rows }: Run): SetupFact[] {
  const { target, profile, judgedAgain, text, suite, tool } = header
  const ofSuite = suite.rows === undefined ? '' : ` of ${suite.rows} in the suite`
  const protocol = target.protocolVersion === undefined ? '' : `, protocol version ${target.protocolVersion}`
  const facts: Fact[] = [
    ['Target', `${target.url}${target.embedded ? ' (the embedded simulator)' : ''}`],
    ['Target version', `${target.version ?? 'unknown'}${protocol}`],
    ['Authorization', target.authorization],
    ['Connection', target.connection && connectionInWords(target.connection)],
    ...(header.wants ?? []).map(
      (want): Fact => [
        'Missing credential',
        `${credentialWords(want, header.allowed ?? [])}: ${count(want.rows, 'row')} not run`,
      ],
    ),
    ['Permissions', header.allowed?.join(', ')],
    ...(header.refusals ?? []).map(
      ({ permissions, rows: unsent }): Fact => [
        'Missing permission',
        `${allowWords(header.allowed ?? [], permissions)}: ${count(unsent, 'row')} not run`,
      ],
    ),
    ['Target file', target.file && fileInWords(target.file)],
    ['Profile', `${profile.name}: ${profile.title}`],
    ['Judged again', judgedAgain && `profile of the run: ${judgedAgain.profile}`],
    ['Interface text', text ? `${text.title}, ${textVersion(text)}` : 'not recorded'],
    ['Rows', `${header.plan.length} planned${ofSuite}, ${rows.length} recorded, ${conclusion.executed} executed`],
    ['Merged runs', header.merged?.map(({ run }) => run).join(', ')],
    ...configurationLines(header).map((line): Fact => ['Configuration', line.replace(/^configuration /, '')]),
    ['Scope', header.selection?.operations?.join(', ') ?? 'all operations'],
    ['Filter', header.only ?? 'none: the whole suite'],
    ['Started', instant(header.startedAt)],
    ['Duration', footer ? duration(footer.milliseconds) : 'unknown: the record has no footer'],
    ['Seed', header.seed],
    ['Repetitions', header.repeat === undefined ? undefined : `each row sent ${header.repeat} times`],
    ['Suite', `version ${suite.version}`],
    ['Tool', `${tool.name} ${tool.version}`],
    ['Concurrency', `at most ${count(header.concurrency, 'row')} at a time`],
    ['Time limit', header.timeLimits && `${duration(header.timeLimits.exchange)} for each exchange`],
    ['Run', header.run],
    ['Text digest (SHA-256)', text?.digest],
    ['Suite digest (SHA-256)', suite.digest],
    ['Record digest (SHA-256)', footer?.digest ?? 'none'],
  ]
  return facts.filter(hasValue)
}
