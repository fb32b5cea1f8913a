/** Texts of participants in the result of an exploration: without secrets, and of limited length. */
import t from 'tap'
import { explore } from '../../explore/explore.js'
import { openExploration } from '../../explore/open-exploration.js'
import type { ExploreEvent } from '../../explore/options.js'
import { readSaved, replay, savedText } from '../../explore/replay.js'
import { Tally } from '../../explore/tally.js'
import { isJsonObject, type JsonObject, parseJson, printJson } from '../../lib/json/json.js'
import { Redaction } from '../../lib/redaction/redaction.js'
import type { Finding } from '../../record/types/exploration.js'
import type { Target } from '../../runner/target/target.js'
import type { InterceptedAnswer, InterceptedRequest } from '../../simulator/participant/participant.js'
import { createParticipant, serve, startSimulator } from '../../simulator/simulator.js'
import { explorationOf } from '../support/records/explored.js'

const secrets = /swordfish|hunter2/
const echo = 'a swordfish and hunter2'

/** Characters; the longest is a body. */
const longest = 20_000

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (one instanceof Map ? [...one] : one))

const echoing = (change: (status: number, json: JsonObject) => JsonObject) =>
  answering(async ({ operation }, handle) => {
    const answer = await handle()
    const json = operation === 'contract-by-id' ? parsed(answer.text) : undefined
    return json ? { ...answer, text: printJson(change(answer.status, json)) } : answer
  })

async function answering(
  answer: (request: InterceptedRequest, handle: () => Promise<InterceptedAnswer>) => Promise<InterceptedAnswer>,
) {
  const participant = await createParticipant()
  participant.interceptor =
    ({ handle }) =>
    (request) =>
      answer(request, () => handle(request))
  const { url, close } = await serve(participant)
  const plain = explorationOf(url, { seed: 'x', sequences: 20, maxFindings: 1, concurrency: 1, only: 'contract-by-id' })
  const events: ExploreEvent[] = []
  const options = {
    ...plain,
    target: withHeader(plain.target, ['x-key', 'swordfish']),
    redact: [/hunter\d/],
    report: (event: ExploreEvent) => void events.push(event),
  }
  return { close, events, options }
}

const withHeader = (target: Target, header: [name: string, value: string]): Target => ({
  ...target,
  connection: { ...target.connection, headers: [header] },
})

function parsed(text: string): JsonObject | undefined {
  try {
    const json = parseJson(text)
    return isJsonObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

t.test('a code that repeats secrets is redacted and cut, and a replay recognizes it', async (t) => {
  const { close, events, options } = await echoing((status, json) =>
    status < 400 ? json : { ...json, code: `${echo} ${'x'.repeat(100_000)}` },
  )
  t.teardown(() => close())
  const explored = await explore(options)
  const [finding] = explored.findings
  if (!finding) {
    t.fail('no finding')
    return
  }
  for (const text of [jsonOf(explored), jsonOf(events), savedText(finding)]) t.notMatch(text, secrets)
  for (const text of [finding.signature, finding.answers.target.said, finding.ruling.because])
    t.match(text, '[redacted: header x-key] and [redacted: pattern 1]')
  const { signature, pointer, ruling, answers, commands } = finding
  const texts = [signature, pointer, ruling.because, answers.target.said, answers.target.body, ...commands]
  t.ok(texts.every((text) => text.length <= longest))
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell
  t.ok(commands.every((command) => command.includes('"${HEADER_1:?set it to the value of this header}"')))
  const again = await replay(options, readSaved(savedText(finding), 'F1.json'))
  t.equal(again.isSame, true)
  t.notMatch(jsonOf(again), secrets)
})

t.test('a member name that repeats secrets is redacted', async (t) => {
  const { close, events, options } = await echoing((status, json) => (status < 400 ? { ...json, [echo]: 1 } : json))
  t.teardown(() => close())
  const explored = await explore(options)
  t.match(explored.findings, [{ pointer: '/a [redacted: header x-key] and [redacted: pattern 1]' }])
  for (const text of [jsonOf(explored), jsonOf(events)]) t.notMatch(text, secrets)
})

t.test('an error that quotes an answer of the target is redacted', async (t) => {
  const text = printJson({ code: echo, cause: echo })
  const { close, options } = await answering(async () => ({ status: 400, contentType: 'application/json', text }))
  t.teardown(() => close())
  const error: unknown = await explore(options).catch((cause: unknown) => cause)
  t.match(String(error), '[redacted: header x-key]')
  t.notMatch(String(error), secrets)
})

t.test('names of the suite are no secrets', async (t) => {
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  const plain = explorationOf(simulator.url, {})
  const opened = await openExploration({ ...plain, target: withHeader(plain.target, ['x-user', 'alice']) })
  t.teardown(() => opened.close())
  t.equal(opened.redaction.clean('a party of alice, beside others'), 'a party of alice, beside others')
})

const finding: Omit<Finding, 'id' | 'seed' | 'times' | 'seenAfter' | 'requestsBefore'> = {
  signature: echo,
  ruling: { kind: 'undecided', rules: [], because: echo },
  operation: 'contract-by-id',
  pointer: `/${echo}`,
  steps: [],
  commands: [echo],
  answers: { reference: { said: echo, body: echo }, target: { said: echo, body: echo } },
  shrunkFrom: 1,
}

t.test('no kind of result contains a secret', (t) => {
  const redaction = new Redaction([/hunter\d/])
  redaction.register('swordfish', 'header x-key')
  const events: unknown[] = []
  const rulebook = { judge: (): 'permitted' => 'permitted' }
  const tally = new Tally({ profile: 'p', seed: 's' }, { rulebook, redaction }, (event) => void events.push(event))
  const seen = { signature: echo, seed: 's/1', seenAfter: 0, divergences: 0 }
  tally.countExamined({ kind: 'unconfirmed' }, seen)
  tally.countExamined({ kind: 'permitted', name: echo }, seen)
  t.ok(tally.isExamined(echo))
  const divergence = { points: ['p'], operation: 'contract-by-id', reference: echo, target: echo }
  tally.countExamined({ kind: 'divergence', divergence }, seen)
  tally.countExamined({ kind: 'finding', finding }, seen)
  const violation = {
    trial: 'one contract',
    rules: [],
    sentence: '',
    calls: [{ client: 0, about: '', said: echo, sent: 0 }],
    longest: [],
  }
  tally.countTrial({ name: 'one contract' }, violation)
  t.equal(events.length, 3)
  for (const text of [jsonOf(tally.result), jsonOf(events)]) t.notMatch(text, secrets)
  t.equal(jsonOf(tally.result).split('[redacted: header x-key]').length, 14)
  t.end()
})
