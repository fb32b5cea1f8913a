/** Mutants of submissions and their deduplication. */
import { gunzipSync } from 'node:zlib'
import { isJsonObject, type JsonObject, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type { InterceptedRequest, Interceptor, Participant, Stage } from '../../simulator/participant/participant.js'
import { bodyOf, changeMembers, changeStrings, codeOf, withBody } from '../interceptors/bodies.js'
import { alterMembers, alterRequests, replaceAnswers, runAfter } from '../interceptors/interceptors.js'
import { damlArguments, freshId, isJudged } from '../interceptors/names.js'
import { acceptedInOrder, withoutAcceptedChanges } from '../interceptors/participant-state.js'
import { fault, type Mutant } from './mutant.js'

const submit = ['submit-and-wait'] as const

const acceptingDuplicates = (isMeant: (body: JsonObject | undefined) => boolean): Interceptor =>
  replaceAnswers(submit, (answer, request, { participant, handle }) =>
    isMeant(bodyOf(request)) && codeOf(answer) === 'DUPLICATE_COMMAND'
      ? withoutAcceptedChanges(participant, () => handle(request))
      : answer,
  )

/** Forgets accepted changes. `isOld` receives the number of later changes. */
const forgettingOld =
  (isOld: (later: number) => boolean): Interceptor =>
  (stage) =>
  async (request) => {
    const answer = await stage.handle(request)
    const order = acceptedInOrder(stage.participant)
    for (const [index, id] of order.entries()) {
      if (isOld(order.length - 1 - index) && order.lastIndexOf(id) === index)
        stage.participant.ledger.state.acceptedChanges.delete(id)
    }
    return answer
  }

const payloads = (change: (text: string) => string): Interceptor =>
  alterMembers([...submit, 'prepare'], ['commands'], (commands) =>
    changeMembers(commands, damlArguments, (value) => changeStrings(value, change)),
  )

const text = (name: string, sentence: string, change: (text: string) => string): Mutant => ({
  name,
  sentence,
  ...fault('submit-and-wait', 'EVT-CREATE-ARGUMENT', 'ledger'),
  interceptor: payloads((given) => (given.includes('::') ? given : change(given))),
})

const astral = /[\u{10000}-\u{10ffff}]/gu

const texts: Mutant[] = [
  text('texts-normalised', 'Text values are normalized to Unicode NFC.', (given) => given.normalize('NFC')),
  text('texts-cut', 'Text values are truncated to 255 characters.', (given) => given.slice(0, 255)),
  text('texts-trimmed', 'Whitespace at both ends of text values is removed.', (given) => given.trim()),
  text('texts-without-astral', 'Characters above U+FFFF are replaced by U+FFFD.', (given) =>
    given.replace(astral, '\ufffd'),
  ),
]

function withKnownPackage(templateId: JsonValue, { ledger }: Participant): JsonValue {
  const [, id, rest] = /^([0-9a-f]{64})(:.*)$/.exec(String(templateId)) ?? []
  const vetted = ledger.synchronizers.flatMap(({ vetting }) => vetting.packages.map(({ packageId }) => packageId))
  const known = id && vetted.find((one) => one.slice(0, 12) === id.slice(0, 12))
  return known ? `${known}${rest}` : templateId
}

/** True for exercises by key, and for choices that fetch or look up a contract. */
const fetchesOrFinds = (commands: JsonValue | undefined): boolean =>
  [commands ?? []]
    .flat()
    .some(
      (command) =>
        isJsonObject(command) &&
        ('ExerciseByKeyCommand' in command || /fetch|look/i.test(JSON.stringify(command['ExerciseCommand'] ?? ''))),
    )

function leniently(body: Buffer): Buffer {
  const whole = body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body
  const isWide = whole.length > 1 && (whole[1] === 0 || whole[0] === 0xff)
  const written = isWide ? whole.toString('utf16le') : whole.toString('utf8')
  const plain = written
    .replace(/^\ufeff/, '')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/,(\s*[}\]])/g, '$1')
    .replace(/'([^'"\\]*)'/g, '"$1"')
    .replace(/([{,]\s*)([A-Za-z_$][\w$]*)(\s*:)/g, '$1"$2"$3')
  return Buffer.from(plain, 'utf8')
}

export const wrongSubmissions: readonly Mutant[] = [
  {
    name: 'committed-twice',
    sentence: 'A submission is committed twice, the second time with a different commandId.',
    ...fault('submit-and-wait', 'SAW-PURPOSE', 'ledger'),
    interceptor: runAfter(submit, async (request, answer, stage) => {
      if (answer.status !== 200) return
      await stage.handle(withBody(request, { ...bodyOf(request), commandId: freshId('again'), submissionId: '' }))
    }),
  },
  {
    name: 'deduplication-default-of-a-second',
    sentence: 'Without a deduplicationPeriod, a change id is deduplicated for one second only.',
    ...fault('submit-and-wait', 'SAW-DEDUPLICATION-DEFAULT', 'repetition'),
    interceptor: alterRequests(submit, (body) => ({
      ...body,
      deduplicationPeriod: body['deduplicationPeriod'] ?? {
        DeduplicationDuration: { value: { seconds: 1, nanos: 0 } },
      },
    })),
  },
  {
    name: 'deduplication-forgets-after-twenty',
    sentence: 'A change id is no longer deduplicated after twenty other submissions.',
    ...fault('submit-and-wait', 'SAW-DEDUPLICATION-WINDOW', 'repetition'),
    interceptor: forgettingOld((later) => later >= 20),
  },
  {
    name: 'deduplication-forgets-after-a-second',
    sentence: 'A change id is deduplicated for one second, whatever the deduplicationPeriod.',
    ...fault('submit-and-wait', 'SAW-DEDUPLICATION-WINDOW', 'repetition'),
    interceptor: runAfter([...submit, 'execute', 'execute-and-wait-for-transaction'], (_request, _answer, stage) => {
      const accepted = [...stage.participant.ledger.state.acceptedChanges.keys()]
      stage.later(1000, () => {
        for (const id of accepted) stage.participant.ledger.state.acceptedChanges.delete(id)
      })
    }),
  },
  ...texts,
  {
    name: 'disclosed-contracts-ignored',
    sentence: 'Disclosed contracts are not used to resolve contract and contract-key lookups.',
    ...fault('submit-and-wait', 'SAW-DISCLOSED-CONTRACTS', 'refusal'),
    interceptor: alterRequests(submit, (body) => ({ ...body, disclosedContracts: [] })),
  },
  {
    name: 'read-as-for-exercises-alone',
    sentence: 'readAs applies to exercises by contract id only, not to fetches, lookups and exercises by key.',
    ...fault('submit-and-wait', 'SAW-READ-AS-ON-BEHALF', 'refusal'),
    interceptor: alterRequests(submit, (body) => (fetchesOrFinds(body['commands']) ? { ...body, readAs: [] } : body)),
  },
  {
    name: 'first-submission-id-reported',
    sentence: 'Each completion contains the submissionId of the first submission.',
    ...fault('submit-and-wait', 'SAW-SUBMISSION-ID-REPORTED', 'completion'),
    interceptor: (stage) => {
      let first: JsonValue | undefined
      return async (request) => {
        if (request.operation === 'submit-and-wait') first ??= bodyOf(request)?.['submissionId']
        const answer = await stage.handle(request)
        if (request.operation !== 'completions' || answer.status !== 200 || first === undefined) return answer
        const shown = first
        return { ...answer, text: printJson(changeMembers(parseJson(answer.text), ['submissionId'], () => shown)) }
      }
    },
  },
  {
    name: 'another-user-used',
    sentence: 'If userId is omitted, the submission has a different user than the token.',
    ...fault('submit-and-wait', 'AUTH-USER-ID', 'completion'),
    where: { authorization: true },
    interceptor: (stage) => {
      const left = new Set<JsonValue | undefined>()
      return async (request) => {
        const body = request.operation === 'submit-and-wait' ? bodyOf(request) : undefined
        if (body && (body['userId'] ?? '') === '') left.add(body['commandId'])
        const answer = await stage.handle(request)
        for (const { submission } of stage.participant.ledger.state.completions) {
          if (left.has(submission.commandId)) submission.userId = 'another-user'
        }
        return answer
      }
    },
  },
  {
    name: 'templates-compared-by-prefix',
    sentence: 'A templateId matches the template of a package whose id begins with the same twelve digits.',
    ...fault('submit-and-wait', 'SAW-COMMAND-TARGETS', 'acceptance'),
    interceptor: (stage) =>
      alterMembers(submit, ['commands'], (commands) =>
        changeMembers(commands, ['templateId'], (id) => withKnownPackage(id, stage.participant)),
      )(stage),
  },
  {
    name: 'any-body-read',
    sentence: 'Bodies in JSON5, UTF-16 or gzip are accepted.',
    ...fault('submit-and-wait', 'GEN-JSON-BODY', 'acceptance'),
    interceptor:
      ({ handle }: Stage) =>
      (request: InterceptedRequest) =>
        handle(isJudged(request) ? { ...request, body: leniently(request.body) } : request),
  },
]

export const executedDuplicates: readonly Mutant[] = [
  {
    name: 'nothing-remembered',
    sentence: 'Duplicates are executed like other submissions.',
    ...fault('submit-and-wait', 'SAW-DUPLICATE-REJECTED', 'repetition'),
    interceptor: acceptingDuplicates(() => true),
  },
  {
    name: 'nothing-remembered-without-a-period',
    sentence: 'A duplicate without a deduplicationPeriod is executed like other submissions.',
    ...fault('submit-and-wait', 'SAW-DEDUPLICATION-DEFAULT', 'repetition'),
    interceptor: acceptingDuplicates((body) => (body?.['deduplicationPeriod'] ?? null) === null),
  },
]
