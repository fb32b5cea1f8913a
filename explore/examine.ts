/** What is behind a difference: whether it shows again, the shortest way to it, and what the text makes of it. */
import { type JsonValue, parseJson, printJson } from '../lib/json/json.js'
import type { Redaction } from '../lib/redaction/redaction.js'
import { type Difference, saidBy } from './compare/compare-answers.js'
import { converse, type Exchange, type Talk, written } from './compare/run-sequence.js'
import { isJudged } from './generate/sequence-generator.js'
import type { Adaptation } from './judge/adapt.js'
import type { Finding, MetDivergence, ToldAnswer } from './judge/finding.js'
import type { Rulebook } from './judge/ruling.js'
import { signatureOf } from './judge/signature.js'
import { waits, withLaterLook } from './minimize/later-read.js'
import { shrink } from './minimize/minimize.js'
import type { Turn } from './send/step.js'
import type { Lane } from './worker.js'

/** A conversation up to where the sides differed. */
export interface Suspicion {
  lane: Lane
  turns: readonly Turn[]
  exchange: Exchange
  difference: Difference
}

export type Examined =
  | { kind: 'unconfirmed' }
  | { kind: 'permitted'; names: readonly string[] }
  | { kind: 'divergence'; divergence: MetDivergence }
  | { kind: 'finding'; finding: FoundPart; exchanges: readonly Exchange[]; lane: Lane }

/** What there is to say of a finding itself. */
export type FoundPart = Pick<
  Finding,
  'signature' | 'ruling' | 'difference' | 'turns' | 'answers' | 'shrunkFrom' | 'attempts'
>

export interface Means {
  /** What the text makes of a difference. */
  rulebook: Rulebook
  /** By which the model does as a target that follows the text. */
  adaptation?: Adaptation
  redaction: Redaction
  /** Puts back what is vetted. */
  restoring(): Turn[]
  /** Is told of requests that are compared once more. */
  retried(count: number): void
  /** A lane in which nothing can show any more of what was asked there before, however late. */
  untouched(): Promise<Lane>
  /** Another text with each call, which is in the names of all that a conversation makes. */
  row(): string
}

/** How often a difference is tried to be had once more before it is taken for one that nobody can show. */
const confirmations = 3
/** For shrinking one finding. */
const mostAttempts = 250
const longestShrinking = 30_000
const longestShown = 20_000

/** To be called while nobody else converses: what is vetted is everybody's. */
export async function examine(suspicion: Suspicion, means: Means): Promise<Examined> {
  return new Examination(suspicion, means).examine()
}

/** Puts back what is vetted, if that may be. */
export async function restoreOn({ pair }: Lane, { restoring, row }: Pick<Means, 'restoring' | 'row'>): Promise<void> {
  const turns = restoring()
  if (turns.length > 0) await converse(pair, written(turns), row(), () => true)
}

export const mayChangeVetting = (exchanges: readonly Pick<Exchange, 'turn'>[]): boolean =>
  exchanges.some(({ turn }) => turn.operation === 'update-package-vetting')

class Examination {
  readonly #suspicion: Suspicion
  readonly #means: Means
  readonly #signature: string
  /** As they were when the difference showed for the last time. */
  #last: Exchange
  #before: readonly Exchange[] = []
  #lane: Lane

  constructor(suspicion: Suspicion, means: Means) {
    this.#suspicion = suspicion
    this.#means = means
    this.#last = suspicion.exchange
    this.#lane = suspicion.lane
    this.#signature = signatureOf(suspicion.exchange.turn, suspicion.difference)
  }

  async examine(): Promise<Examined> {
    const { lane, turns, difference } = this.#suspicion
    // Whatever others have left behind is no part of it.
    await restoreOn(lane, this.#means)
    const confirmed = await this.#confirmed(turns)
    if (!confirmed) return { kind: 'unconfirmed' }
    const until = performance.now() + longestShrinking
    const shrunk = await shrink(confirmed, (some) => this.#stillDiffers(some), { attempts: mostAttempts, until })
    // Nothing in which the model can do otherwise shows later than the answer.
    const adapted = shrunk.isLate ? undefined : await this.#adapted(shrunk.turns)
    if (adapted) return adapted
    const last = this.#last
    const ruling = this.#means.rulebook.rule(last, this.#before)
    if (ruling === 'permitted') return { kind: 'permitted', names: [this.#signature] }
    const exchanges = [...this.#before, last]
    return {
      kind: 'finding',
      finding: {
        ...{ signature: this.#signature, ruling, turns: shrunk.turns },
        difference: this.#clean(last.difference ?? difference),
        answers: { model: this.#shown(last.model), target: this.#shown(last.target) },
        ...{ shrunkFrom: turns.length, attempts: shrunk.attempts },
      },
      exchanges: exchanges.map((one, index) => ({ ...one, turn: shrunk.turns[index] ?? one.turn })),
      lane: this.#lane,
    }
  }

  /** The turns by which it showed again; undefined: by none. */
  async #confirmed(turns: readonly Turn[]): Promise<readonly Turn[] | undefined> {
    const patient = waits.flatMap((milliseconds) => {
      const waiting = withLaterLook(turns, milliseconds)
      return waiting ? [waiting] : []
    })
    const candidates = patient.length > 0 ? [turns, ...patient] : Array.from({ length: confirmations }, () => turns)
    for (const candidate of candidates) if (await this.#stillDiffers(candidate)) return candidate
    return undefined
  }

  async #stillDiffers(candidate: readonly Turn[]): Promise<boolean> {
    // Whoever asked for nothing has only seen what others left behind.
    if (!candidate.some(isJudged)) return false
    const lane = await this.#laneForAttempt()
    const { ended, exchanges } = await this.#attempt(candidate, lane)
    const isSame = ended?.difference !== undefined && signatureOf(ended.turn, ended.difference) === this.#signature
    if (!isSame || exchanges.length !== candidate.length) return false
    this.#last = ended
    this.#before = exchanges.slice(0, -1)
    this.#lane = lane
    return true
  }

  /** What all that has happened is seen by may show what an earlier attempt did late. */
  async #laneForAttempt(): Promise<Lane> {
    const { exchange, lane } = this.#suspicion
    return exchange.turn.operation === 'updates' ? this.#means.untouched() : lane
  }

  async #attempt(turns: readonly Turn[], lane: Lane): Promise<Talk> {
    const source = written(turns.filter(({ restores }) => !restores))
    const talk = await converse(lane.pair, source, this.#means.row(), ({ turn }) => turn !== turns.at(-1))
    this.#means.retried(talk.exchanges.length)
    if (mayChangeVetting(talk.exchanges)) await restoreOn(lane, this.#means)
    return talk
  }

  /** Whether the model does as the target by some of its switch points; from then on it does. */
  async #adapted(turns: readonly Turn[]): Promise<Examined | undefined> {
    const { turn, model, target } = this.#last
    const points = await this.#means.adaptation?.adapt(async () => {
      const { exchanges } = await this.#attempt(turns, await this.#laneForAttempt())
      return exchanges.every(({ difference }) => difference === undefined)
    })
    if (!points || points.length === 0) return undefined
    const ids = points.flatMap(({ divergences }) => divergences)
    const names = points.map(({ name }) => name)
    if (ids.length === 0) return { kind: 'permitted', names }
    const said = { operation: turn.operation, model: saidBy(model), target: saidBy(target) }
    return { kind: 'divergence', divergence: { ids, points: names, ...said } }
  }

  /** Values of answers are whatever a participant sends. */
  #clean(difference: Difference): Difference {
    const cleaned = (value: JsonValue): JsonValue => parseJson(this.#means.redaction.clean(printJson(value)))
    return { ...difference, model: cleaned(difference.model), target: cleaned(difference.target) }
  }

  #shown(told: Exchange['model']): ToldAnswer {
    const text = this.#means.redaction.clean(told.answer?.text ?? told.evidence?.problem?.message ?? told.unsent ?? '')
    return { said: saidBy(told), body: text.length > longestShown ? `${text.slice(0, longestShown)}…` : text }
  }
}
