/** The target, suite and settings of the run. */
import { allowWords } from '../../../record/types/effects.js'
import type { RunHeader } from '../../../record/types/record.js'
import type { RecordedConnection } from '../../../record/types/recorded-target.js'
import { configurationLines } from '../../wording/configurations.js'
import { textVersion } from '../../wording/judged-by.js'
import { count, duration, instant } from '../../wording/words.js'
import type { LoadedRun } from '../state/loaded-run.js'

type Fact = [name: string, value: string]

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

export function Facts({ run }: { run: LoadedRun }) {
  const { header, footer, conclusion, rows } = run
  const { target, profile, judgedAgain, text, suite, tool } = header
  const ofSuite = suite.rows === undefined ? '' : ` of ${suite.rows} in the suite`
  const protocol = target.protocolVersion === undefined ? '' : `, protocol version ${target.protocolVersion}`
  const facts: Fact[] = [
    ['Target', `${target.url}${target.embedded ? ' (the embedded simulator)' : ''}`],
    ['Target version', `${target.version ?? 'unknown'}${protocol}`],
    ['Authorization', target.authorization],
    ...(target.connection ? [['Connection', connectionInWords(target.connection)] satisfies Fact] : []),
    ...(header.wants ?? []).map(
      ({ credentials, rows: unsent }): Fact => [
        'Missing credential',
        `${credentials.join(' and ')}: ${count(unsent, 'row')} not run`,
      ],
    ),
    ...(header.allowed ? [['Permissions', header.allowed.join(', ')] satisfies Fact] : []),
    ...(header.refusals ?? []).map(
      ({ permissions, rows: unsent }): Fact => [
        'Missing permission',
        `${allowWords(header.allowed ?? [], permissions)}: ${count(unsent, 'row')} not run`,
      ],
    ),
    ...(target.file ? [['Target file', fileInWords(target.file)] satisfies Fact] : []),
    ['Profile', `${profile.name}: ${profile.title}`],
    ...(judgedAgain ? [['Judged again', `profile of the run: ${judgedAgain.profile}`] satisfies Fact] : []),
    ['Interface text', text ? `${text.title}, ${textVersion(text)}` : 'not recorded'],
    ['Rows', `${header.planned} planned${ofSuite}, ${rows.length} recorded, ${conclusion.executed} executed`],
    ...(header.merged ? [['Merged runs', header.merged.map(({ run }) => run).join(', ')] satisfies Fact] : []),
    ...configurationLines(header).map((line): Fact => ['Configuration', line.replace(/^configuration /, '')]),
    ['Filter', header.only ?? 'none: the whole suite'],
    ['Started', instant(header.startedAt)],
    ['Duration', footer ? duration(footer.milliseconds) : 'unknown: the record has no footer'],
    ['Seed', header.seed],
    ...(header.repeat === undefined ? [] : [['Repetitions', `each row sent ${header.repeat} times`] satisfies Fact]),
    ['Suite', `version ${suite.version}`],
    ['Tool', `${tool.name} ${tool.version}`],
    ['Concurrency', `${count(header.concurrency, 'row')} at a time`],
    ...(header.timeLimits
      ? [['Time limit', `${duration(header.timeLimits.exchange)} for each exchange`] satisfies Fact]
      : []),
    ['Run', header.run],
  ]
  const digests: Fact[] = [
    ...(text ? [['Text digest (SHA-256)', text.digest] satisfies Fact] : []),
    ['Suite digest (SHA-256)', suite.digest],
    ['Record digest (SHA-256)', footer?.digest ?? 'none'],
  ]
  const capabilities = Object.entries(header.capabilities)
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {digests.map(([name, value]) => (
        <div key={name} class="long">
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
      {capabilities.length > 0 && (
        <div class="long">
          <dt>Capabilities of the target</dt>
          <dd class="capabilities">
            {capabilities.map(([name, has]) => (
              <span key={name} class={`verdict ${has ? 'pass' : 'not-applicable'}`}>
                {has ? '✓' : '–'} {name}: {has ? 'yes' : 'no'}
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
  )
}
