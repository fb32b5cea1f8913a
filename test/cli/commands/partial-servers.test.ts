/** `doctor` and `run` against partial servers: each printed statement is compared with the routes of the server. */
import t, { type Test } from 'tap'
import { doctorCommand } from '../../../cli/commands/doctor-command.js'
import { operations, supportOperations } from '../../../interface/operations.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { type PartialServer, partialServers, startPartial } from '../../support/servers/partial-servers.js'

const all: Readonly<Record<string, { method: string; path: string }>> = { ...operations, ...supportOperations }

function answerTo(name: string, server: PartialServer) {
  const found = all[name]
  if (!found) throw new Error(`no operation ${name}`)
  return server(found.method, found.path)
}

const codeIn = (body: string): boolean => /"code"\s*:/.test(body)
const isServed = (name: string, server: PartialServer): boolean => {
  const { status, body } = answerTo(name, server)
  return status !== 404 || codeIn(body)
}

/** A claim about a request: `POST /v2/x returned 404`, or with the URL. */
const returned =
  /(GET|POST) (?:http:\/\/[\d.:]+)?(\/v2\/[\w/-]+|\/readyz) (?:returned|is not implemented \()\s?(\d+)( without the member code)?/g

function claimsAreTrue(line: string, server: PartialServer): boolean {
  for (const [, method = '', path = '', status, lacksCode] of line.matchAll(returned)) {
    const answer = server(method, path)
    if (String(answer.status) !== status || (lacksCode !== undefined && codeIn(answer.body))) return false
  }
  return true
}

type Statement = readonly [pattern: RegExp, isTrue: (match: RegExpExecArray, server: PartialServer) => boolean]

const jsonOf = (name: string, server: PartialServer): unknown => {
  const { status, body } = answerTo(name, server)
  return status === 200 ? JSON.parse(body) : undefined
}

/** What a line may state, and whether it is true for a server. Requests are compared by `claimsAreTrue`. */
const statements: readonly Statement[] = [
  [/^the target answers in \d+ ms$/, (_, server) => answerTo('version', server).status < 500],
  [/^the target has ([\w-]+), and does not return its version$/, ([, name = ''], server) => isServed(name, server)],
  [/^the clocks of the target and of this machine agree$/, () => true],
  [
    /^the target has version "(.*)", which no profile covers; the profile interface judges$/,
    ([, version], server) => JSON.stringify(jsonOf('version', server)) === JSON.stringify({ version }),
  ],
  [
    /^the version of the target is unknown; the profile interface judges$/,
    (_, server) => answerTo('version', server).status === 404,
  ],
  [
    /^the target has ([\w-]+(?:, [\w-]+)*)$/,
    ([, names = ''], server) => names.split(', ').every((one) => isServed(one, server)),
  ],
  [
    /^the target lacks ([\w-]+): (?:GET|POST) \S+ is not implemented/,
    ([, name = ''], server) => !isServed(name, server),
  ],
  [
    /^\d+ selected rows? needs? ([\w-]+): (?:GET|POST) \S+ is not implemented/,
    ([, name = ''], server) => !isServed(name, server),
  ],
  [/^the settings name no token: each request names its user$/, () => true],
  [
    /^(?:the participant id is unknown|the participant is (\S+)); its synchronizer is unknown$/,
    ([, id], server) =>
      id === undefined
        ? answerTo('participant-id', server).status === 404
        : answerTo('participant-id', server).body.includes(id) &&
          answerTo('connected-synchronizers', server).status === 404,
  ],
  [
    /^the participant is (\S+), connected to (\S+); a run reads the protocol version/,
    ([, id = '', synchronizer = ''], server) =>
      answerTo('participant-id', server).body.includes(id) &&
      answerTo('connected-synchronizers', server).body.includes(synchronizer),
  ],
  [/^a run creates parties and users as the user participant_admin; doctor does not try it$/, () => true],
  [
    /^a run cannot onboard external parties: the synchronizer is unknown$/,
    (_, server) => answerTo('connected-synchronizers', server).status === 404,
  ],
  [
    /^a run cannot onboard external parties: POST \S+ is not implemented \(404 without the member code\)$/,
    (_, server) => !isServed('generate-external-topology', server),
  ],
  [/^a run checks whether the target prepares transactions; --party names a party for doctor$/, () => true],
  [/^a run cannot prepare transactions: POST \S+ is not implemented/, (_, server) => !isServed('prepare', server)],
  [/^rows cannot use the packages of the conformance model: GET \/v2\/packages returned 404/, () => true],
  [
    /^the vetting state is unreadable: list-vetted-packages \(.*\) returned 404/,
    (_, server) => !isServed('list-vetted-packages', server),
  ],
  [/^no selected row can run on this target: (?:GET|POST) \S+ is not implemented/, () => true],
  // The conclusion of a run.
  [/^No row was judged \(\d+ rows: /, () => true],
  [/^\d+ rows are blocked: the evidence is incomplete$/, () => true],
  // The start.
  [/^GET \S+ returned 404: .*; POST \S+ returned 404 without the member code$/, () => true],
  [
    /^the target is not a participant: GET \S+ returned \d+ and a web page with the title "(.*?)"(?:; POST .*)?$/,
    ([, title = ''], server) => answerTo('version', server).body.includes(`<title>${title}`),
  ],
  [
    /^GET \S+ returned 302, a redirect to "(.*)"$/,
    ([, location], server) => answerTo('version', server).location === location,
  ],
  [/^GET \S+ returned 502: ".*"$/, () => true],
  [
    /^the target is connected to no synchronizer: GET \S+ returned an empty list$/,
    (_, server) => answerTo('connected-synchronizers', server).body === '{"connectedSynchronizers":[]}',
  ],
  [
    /^GET \/v2\/state\/connected-synchronizers returned "\{\}", without the array connectedSynchronizers$/,
    (_, server) => answerTo('connected-synchronizers', server).body === '{}',
  ],
  [
    /^GET \/v2\/parties\/participant-id returned "\{\}", without the string participantId$/,
    (_, server) => answerTo('participant-id', server).body === '{}',
  ],
]

function expectTrue(t: Pick<Test, 'ok'>, line: string, server: PartialServer): void {
  const known = statements.flatMap(([pattern, isTrue]) => {
    const match = pattern.exec(line)
    return match ? [isTrue(match, server)] : []
  })
  t.ok(known.length > 0, `a known statement: ${line}`)
  t.ok(known.every(Boolean) && claimsAreTrue(line, server), `true: ${line}`)
}

/** The findings of `doctor`, without marks and remedies. */
const doctorLines = (stdout: string): string[] =>
  stdout.split('\n').flatMap((line) => /^ {2}(?:ok|! |x ) {2}(.*)$/.exec(line)?.[1] ?? [])

/** Sentences that introduce the remedy of a warning or of a start error. */
const remedy =
  /\. (?:Use |Connect |If the operation|To state|Is the participant|Name existing|State these|Set --|Add |No setting|Presigned|\d+ of them)/

const withoutRemedy = (line: string): string => line.replace(/^! /, '').split(remedy)[0] ?? ''

t.test('every statement of doctor and run about a partial server is true', async (t) => {
  for (const [name, server] of Object.entries(partialServers))
    await t.test(name, async (t) => {
      const flags = { target: await startPartial(t, server) }
      const checked = await call(() => doctorCommand({ ...flags, only: 'CBI-*' }, false))
      const lines = doctorLines(checked.stdout)
      t.ok(lines.length > 0, checked.stdout + checked.stderr)
      for (const line of lines) expectTrue(t, line, server)
      const ran = await callRun(t, { ...flags, only: 'CBI-*' })
      const said = [...ran.stderr.split('\n'), ...ran.stdout.split('\n').filter((line) => line.startsWith('! '))]
      for (const line of said.filter((one) => one !== '' && !/^\s/.test(one)))
        expectTrue(t, withoutRemedy(line).replace(/\.$/, ''), server)
      const isStarted = / rows on http/.test(ran.stdout)
      t.equal(ran.code, isStarted ? 5 : 3, 'no row of a partial server fails')
      t.ok(isStarted || ran.stderr !== '', 'the reason of a run that cannot start')
    })
})
