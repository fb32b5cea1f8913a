/**
 * Participants that keep to the text and use what it leaves open: other than the reference in what is not shown. No row of a
 * suite that judges by the text alone may fail there.
 */
import { isJsonObject, type JsonObject, type JsonValue, printJson } from '../../interface/json.js'
import { operations } from '../../interface/operations.js'
import { alteringAnswers, alteringRequests, answerOf, bodyOf, everywhere, json } from './alterations.js'
import type { Asked, Lie, OperationName, Told } from './stage.js'

/** As a lie, but it breaks no rule. */
const freedom = (name: string, sentence: string, tell: Lie['tell']): Lie => ({ name, sentence, rules: [], tell })

const judged = Object.keys(operations) as (keyof typeof operations)[] // the keys of the table

const isJudged = ({ operation }: Asked): boolean => judged.some((name) => name === operation)

/** Alters whatever the judged operations refuse. */
const alteringRefusals =
  (change: (told: Told) => Told): Lie['tell'] =>
  ({ ask }) =>
  async (asked) => {
    const told = await ask(asked)
    return isJudged(asked) && told.status >= 400 && told.status < 500 ? change(told) : told
  }

/** Refuses what a judged operation is asked, where `problem` finds something in its body. */
const refusing =
  (problem: (body: JsonObject, operation: OperationName) => string | undefined): Lie['tell'] =>
  ({ ask }) =>
  async (asked) => {
    const body = isJudged(asked) ? bodyOf(asked) : undefined
    const found = body && asked.operation && problem(body, asked.operation)
    if (found === undefined) return ask(asked)
    // Whoever may not ask at all is told that first.
    const who = await ask({ ...asked, method: 'GET', path: '/v2/state/ledger-end', body: Buffer.alloc(0) })
    if (who.status === 401 || who.status === 403) return who
    return json(400, { code: 'INVALID_ARGUMENT', cause: found })
  }

const otherStatus: Record<number, number> = { 400: 422, 404: 410, 409: 412 }

const statuses = freedom(
  'other-statuses',
  'What is refused is refused with other statuses of the 400s.',
  alteringRefusals((told) => ({ ...told, status: otherStatus[told.status] ?? told.status })),
)

const errorBodies = freedom(
  'other-error-bodies',
  'A refusal is told as plain text: the code, and what was wrong.',
  alteringRefusals((told) => {
    const { code = 'INVALID', cause = told.text } = answerOf(told) ?? {}
    return { ...told, contentType: 'text/plain', text: `${String(code)}: ${String(cause)}` }
  }),
)

const isNothing = (value: JsonValue): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Members that an answer always has. */
const needed = new Set(['updateId', 'completionOffset', 'transaction', 'createdEvent', 'newVettedPackages', 'events'])

function withoutNothing(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNothing)
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([name, item]) => needed.has(name) || !isNothing(item))
  return Object.fromEntries(kept.map(([name, item]) => [name, isPayload(name) ? item : withoutNothing(item)]))
}

/** Daml values are the client's own. */
const isPayload = (name: string): boolean => ['createArgument', 'contractKey', 'viewValue'].includes(name)

const leftOut = freedom(
  'empty-members-left-out',
  'Members that have nothing to tell are left out of answers: null, empty texts, empty lists, open bounds.',
  alteringAnswers(judged, (answer) => withoutNothing(answer)),
)

const noPast = freedom(
  'no-past-state',
  'pastVettedPackages is left out where it has no packages.',
  alteringAnswers(['update-package-vetting'], (answer) => {
    const { pastVettedPackages: past = null, ...rest } = isJsonObject(answer) ? answer : {}
    const isEmpty = !isJsonObject(past) || isNothing(past['packages'] ?? null)
    return isEmpty ? rest : { ...rest, pastVettedPackages: past }
  }),
)

const times = ['effectiveAt', 'recordTime', 'createdAt', 'validFromInclusive', 'validUntilExclusive']

const withTimes = (change: (time: string) => string): Lie['tell'] =>
  alteringAnswers(judged, (answer) =>
    everywhere(answer, times, (time) => (typeof time === 'string' ? change(time) : time)),
  )

const offsets = freedom(
  'times-with-offset',
  'Times are told with an offset in place of Z.',
  withTimes((time) => time.replace(/Z$/, '+00:00')),
)

const nanoseconds = freedom(
  'times-in-nanoseconds',
  'Times are told with nine decimals.',
  withTimes((time) => time.replace(/(?:\.(\d+))?Z$/, (_, decimals = '') => `.${String(decimals).padEnd(9, '0')}Z`)),
)

const firstResult = freedom(
  'duplicates-answered-with-the-first',
  'A duplicate of what was accepted is answered with the first result, without a second effect.',
  ({ ask, participant }) =>
    async (asked) => {
      const told = await ask(asked)
      if (asked.operation !== 'submit-and-wait' || answerOf(told)?.['code'] !== 'DUPLICATE_COMMAND') return told
      const { commandId, actAs = [] } = bodyOf(asked) ?? {}
      const parties = [actAs].flat().map(String)
      const first = [...participant.ledger.state.transactions.values()].findLast(
        ({ submission }) =>
          submission.commandId === commandId &&
          submission.actAs.toSorted().join() === [...new Set(parties)].sort().join(),
      )
      return first ? json(200, { updateId: first.updateId, completionOffset: first.offset }) : told
    },
)

/** The names of kinds of a tagged union that stands at a member. */
const kindsAt = (value: JsonValue | undefined): string[] =>
  isJsonObject(value ?? null) ? Object.keys(value as JsonObject) : [] // just found to be one

const shownCommands = freedom(
  'only-shown-commands',
  'CreateAndExerciseCommand is the only kind of command.',
  refusing(({ commands = [] }, operation) => {
    if (operation !== 'submit-and-wait' || !Array.isArray(commands)) return undefined
    const other = commands.flatMap(kindsAt).find((kind) => kind !== 'CreateAndExerciseCommand')
    return other && `there is no kind of command ${other}`
  }),
)

const shownPeriods = freedom(
  'only-shown-periods',
  'DeduplicationDuration is the only kind of deduplication period.',
  refusing(({ deduplicationPeriod }) => {
    const other = kindsAt(deduplicationPeriod).find((kind) => kind !== 'DeduplicationDuration')
    return other && `there is no kind of deduplication period ${other}`
  }),
)

const idMembers = ['commandId', 'workflowId', 'submissionId', 'userId']

const stricterIds = freedom(
  'ids-without-blanks',
  'Ids of the client have letters, digits, hyphens, dots and colons alone.',
  refusing((body) => {
    const bad = idMembers.find((name) => typeof body[name] === 'string' && !/^[\w.:-]*$/.test(body[name]))
    return bad && `${bad} has a character that no id has`
  }),
)

const emptyTexts = freedom(
  'empty-texts-refused',
  'An id that is an empty text is no id, and refused.',
  refusing((body) => {
    const empty = idMembers.find((name) => body[name] === '')
    return empty && `${empty} is empty`
  }),
)

const anyPasses = freedom(
  'many-passes',
  'The limit of tapsMaxPasses is beyond every int32.',
  alteringRequests(['submit-and-wait'], (body) => {
    const { tapsMaxPasses: passes } = body
    return typeof passes === 'number' && passes > 4 ? { ...body, tapsMaxPasses: 4 } : body
  }),
)

const smallBodies = freedom('small-bodies', 'A body has one mebibyte at most.', ({ ask }) => async (asked) => {
  if (asked.body.length <= 1024 * 1024) return ask(asked)
  return { status: 413, contentType: 'text/plain', text: 'the body is too large' }
})

const executeTells = freedom(
  'execute-tells-more',
  'execute answers with members that nobody knows.',
  alteringAnswers(['execute'], () => ({ status: 'ACCEPTED' })),
)

const spaced = freedom(
  'spaced-answers',
  'Answers have white space around them, and a charset in their content type.',
  ({ ask }) =>
    async (asked) => {
      const told = await ask(asked)
      if (!isJudged(asked) || told.contentType !== 'application/json') return told
      return { ...told, contentType: 'application/json; charset=utf-8', text: `\n${told.text}\r\n\t ` }
    },
)

const ignoresAccept = freedom('accept-ignored', 'Answers are JSON, whatever is accepted.', ({ ask }) => (asked) => {
  const { accept: _accept, ...headers } = asked.headers
  return ask({ ...asked, headers })
})

const anyCase = freedom('paths-of-any-case', 'Paths are found however they are spelt.', ({ ask }) => (asked) => {
  const known = Object.values(operations).find(({ path }) => path.toLowerCase() === asked.path.toLowerCase())
  return ask({ ...asked, path: known?.path ?? asked.path })
})

const moreMembers = freedom(
  'more-members',
  'Answers have members that the text does not name.',
  alteringAnswers(judged, (answer) => (isJsonObject(answer) ? { ...answer, servedBy: 'node-7' } : answer)),
)

const unknownMembers = freedom(
  'unknown-members-refused',
  'A member that the text does not name is refused.',
  refusing((body) => (printJson(body).includes('"limit"') ? 'there is no member limit' : undefined)),
)

export const freedoms: readonly Lie[] = [
  statuses,
  errorBodies,
  leftOut,
  noPast,
  offsets,
  nanoseconds,
  firstResult,
  shownCommands,
  shownPeriods,
  stricterIds,
  emptyTexts,
  anyPasses,
  smallBodies,
  executeTells,
  spaced,
  ignoresAccept,
  anyCase,
  moreMembers,
  unknownMembers,
]
