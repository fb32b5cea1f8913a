/** Behaviour of a live participant that is no finding. */
import t from 'tap'
import { raceBetween } from '../../explore/judge/races.js'
import type { ExploreEvent } from '../../explore/options.js'
import { bodyOf, withBody } from '../../lab/interceptors/bodies.js'
import { isJsonObject, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type { InterceptedAnswer, InterceptedRequest } from '../../simulator/participant/participant.js'
import { createParticipant, serve } from '../../simulator/simulator.js'
import { explored } from '../support/records/explored.js'
import { startOperatedParticipant } from '../support/servers/operated-participant.js'

const library = {
  packageId: 'ab'.repeat(32),
  packageName: 'daml-stdlib',
  packageVersion: '1.0.0',
  validFromInclusive: null,
  validUntilExclusive: null,
}
const checkpoint = {
  completionResponse: { OffsetCheckpoint: { value: { offset: 9, synchronizerTimes: [] } } },
}

/** Changes 2xx answers as other clients and the load of a live participant do. */
class LiveBehaviour {
  readonly used = new Map<string, number>()
  readonly #read = new Set<string>()

  changed(request: InterceptedRequest, answer: InterceptedAnswer): InterceptedAnswer {
    if (answer.status !== 200 || answer.contentType?.startsWith('application/json') !== true) return answer
    const json = parseJson(answer.text)
    const made = this.#vetted(json) ?? (request.operation === 'completions' ? this.#listed(request, json) : undefined)
    return made === undefined ? answer : { ...answer, text: printJson(made) }
  }

  #vetted(json: JsonValue): JsonValue | undefined {
    if (!isJsonObject(json) || !('newVettedPackages' in json)) return undefined
    this.#count('library')
    const names = ['pastVettedPackages', 'newVettedPackages']
    return Object.fromEntries(
      Object.entries(json).map(([name, state]) => {
        const packages = isJsonObject(state) ? state['packages'] : undefined
        if (!names.includes(name) || !isJsonObject(state) || !Array.isArray(packages)) return [name, state]
        return [name, { ...state, packages: [...packages, library] }]
      }),
    )
  }

  /** The first read lacks the last completion; a checkpoint takes the place of another. */
  #listed({ path, body }: InterceptedRequest, json: JsonValue): JsonValue | undefined {
    if (!Array.isArray(json) || json.length === 0) return undefined
    const limit = Number(new URL(path, 'http://x').searchParams.get('limit') ?? '100')
    const text = body.toString()
    const isFirst = !this.#read.has(text)
    this.#read.add(text)
    this.#count(isFirst ? 'late' : 'checkpoint')
    return isFirst ? json.slice(0, -1) : [checkpoint, ...json].slice(0, limit)
  }

  #count(name: string): void {
    this.used.set(name, (this.used.get(name) ?? 0) + 1)
  }
}

t.test('libraries, checkpoints and late completions of a live participant are no findings', async (t) => {
  const participant = await createParticipant()
  const live = new LiveBehaviour()
  participant.interceptor =
    ({ handle }) =>
    async (request) =>
      live.changed(request, await handle(request))
  const { url, close } = await serve(participant)
  t.teardown(() => close())
  const { findings, unconfirmed } = await explored({}, { url, seed: 'live', sequences: 5, concurrency: 1 })
  t.strictSame([...live.used.keys()].sort(), ['checkpoint', 'late', 'library'])
  t.strictSame([findings.map(({ signature }) => signature), [...unconfirmed.keys()]], [[], []])
})

t.test('other names, a clock that stands still, and another order of checks are no findings', async (t) => {
  const { url, close, reordered } = await startOperatedParticipant(1)
  t.teardown(() => close())
  // Later requests have the fault alone, and then again beside others. Which do depends on the values of the suite; of six sequences, few do.
  let reported = 0
  const report = ({ kind }: ExploreEvent): void => {
    if (kind === 'divergence') reported += 1
  }
  const { findings, divergences, unconfirmed } = await explored(
    {},
    { url, seed: 'a', sequences: 24, only: 'submit-and-wait', concurrency: 1, report },
  )
  t.strictSame([findings.map(({ signature }) => signature), [...unconfirmed.keys()]], [[], []])
  t.ok(reported > 0)
  t.strictSame(divergences, [], 'a divergence that a request with several faults switched off is back')
  t.ok(reordered() > 0)
})

t.test('the fault of any of several commands is permitted by name', async (t) => {
  const participant = await createParticipant()
  participant.interceptor =
    ({ handle }) =>
    async (request) => {
      const answer = await handle(request)
      const body = request.operation === 'submit-and-wait' && answer.status >= 400 ? bodyOf(request) : undefined
      const commands = body?.['commands']
      if (!body || !Array.isArray(commands) || commands.length < 2) return answer
      const other = await handle(withBody(request, { ...body, commands: commands.toReversed() }))
      return other.status >= 400 ? other : answer
    }
  const { url, close } = await serve(participant)
  t.teardown(() => close())
  const { findings, permitted } = await explored(
    {},
    { url, seed: 'a', sequences: 4, only: 'submit-and-wait', concurrency: 1 },
  )
  const ofSubmissions = findings.filter(({ signature }) => signature.startsWith('submit-and-wait'))
  t.strictSame(
    ofSubmissions.map(({ signature }) => signature),
    [],
  )
  t.ok([...permitted.keys()].some((name) => name.startsWith('several-faulty-commands: ')))
})

t.test('either of two codes that depend on a race is permitted by name', (t) => {
  const result = (code: string) => ({
    answer: {
      status: 409,
      header: () => undefined,
      mediaType: 'application/json',
      json: { code },
      text: '',
      isEmpty: false,
      hashToSign: () => undefined,
    },
  })
  const between = (ours: string, theirs: string) =>
    raceBetween({ reference: result(ours), target: result(theirs) })?.split(':')[0]
  t.equal(between('LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND', 'NOT_SEQUENCED_TIMEOUT'), 'time-exceeded')
  t.equal(between('DUPLICATE_COMMAND', 'SUBMISSION_ALREADY_IN_FLIGHT'), 'same-change-in-flight')
  t.equal(between('DUPLICATE_COMMAND', 'NOT_SEQUENCED_TIMEOUT'), undefined)
  t.equal(between('DUPLICATE_COMMAND', 'DUPLICATE_COMMAND'), undefined)
  t.end()
})
