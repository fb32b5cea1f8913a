/** Has random conversations with a target and a model at once, and tells where they differ. */
import { type JsonValue, parseJson, printJson } from '../interface/json.js'
import type { Redaction } from '../interface/redaction.js'
import { type Difference, saidBy } from './compare/compare-answers.js'
import { randomOf } from './generate/random.js'
import { isJudged, type Stage, Talker } from './generate/talker.js'
import { type Impossible, playRound } from './histories/play-round.js'
import type { MakeRound } from './histories/round.js'
import type { Adaptation } from './judge/adapt.js'
import type { Finding, MetDivergence, ToldAnswer } from './judge/finding.js'
import type { Rulebook } from './judge/ruling.js'
import { signatureOf } from './judge/signature.js'
import { converse, type Exchange, type Pair, type Talk, written } from './pair/converse.js'
import { shrink } from './shrink/shrink.js'
import { bodyOfTurn, type Turn } from './talk/conversation.js'
import { valueClass } from './value-class.js'

export interface ExploreOptions {
  pair: Pair
  stage: Stage
  seed: string
  /** Unique to this exploration: it is in the names of all that conversations make. */
  id: string
  /** Milliseconds, or conversations; the first that is reached ends it. */
  budget?: number
  conversations?: number
  /** Findings after which it ends. */
  most?: number
  redaction: Redaction
  /** What the text makes of a difference. */
  rulebook: Rulebook
  /** How a finding is told beside its words; the exchanges end with the one at which the sides differ. */
  tell(finding: Omit<Finding, 'yaml' | 'curl'>, exchanges: readonly Exchange[]): Pick<Finding, 'yaml' | 'curl'>
  /** By which the model does as a target that follows the text. */
  adaptation?: Adaptation
  /** Puts back what is vetted, behind a conversation that was ended early. */
  restoring(): Turn[]
  /** What several clients ask the target at once, between conversations. */
  rounds: readonly MakeRound[]
  told(event: ExploreEvent): void
  /** Ends it early. */
  ended?(): boolean
}

export type ExploreEvent =
  | { kind: 'conversation'; done: number; exchanges: number }
  | { kind: 'finding'; finding: Finding }
  | { kind: 'divergence'; divergence: MetDivergence }
  | { kind: 'unconfirmed'; signature: string }
  | { kind: 'history'; history: HistoryFinding }

export interface Explored {
  conversations: number
  exchanges: number
  seconds: number
  findings: Finding[]
  /** Answers to several clients at once that no order explains; one for each kind of round. */
  histories: HistoryFinding[]
  /** Rounds of several clients that were had. */
  rounds: number
  divergences: MetDivergence[]
  /** Differences that the text permits, by signature, with how often they were met. */
  permitted: Map<string, number>
  /** Differences that did not show again when they were tried once more. */
  unconfirmed: Map<string, number>
  /** Operation and what the model said, with how often. */
  outcomes: Map<string, number>
  /** Operation, member of its request and class of the value there, with how often. */
  values: Map<string, number>
}

export interface HistoryFinding extends Impossible {
  id: string
  /** How many rounds of that kind were like this, of how many. */
  times: number
  of: number
  /** Seconds from the beginning. */
  seenAfter: number
}

/** Conversations between rounds. */
const betweenRounds = 2

/** How often a difference is tried to be had once more before it is taken for one that nobody can show. */
const confirmations = 3
/** For shrinking one finding. */
const mostAttempts = 250
const longestShrinking = 12_000
const longestShown = 20_000

export async function explore(options: ExploreOptions): Promise<Explored> {
  return new Exploration(options).run()
}

const addTo = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

class Exploration {
  readonly #options: ExploreOptions
  readonly #begun = performance.now()
  readonly #findings = new Map<string, Finding>()
  readonly #result: Explored = {
    ...{ conversations: 0, exchanges: 0, seconds: 0, rounds: 0, findings: [], histories: [], divergences: [] },
    ...{ permitted: new Map(), unconfirmed: new Map(), outcomes: new Map(), values: new Map() },
  }
  /** Of the requests of each operation, those that were met so far. */
  readonly #members = new Map<string, Set<string>>()
  #rows = 0

  constructor(options: ExploreOptions) {
    this.#options = options
  }

  async run(): Promise<Explored> {
    const { stage, seed, told } = this.#options
    while (!this.#isOver()) {
      const name = `${seed}/${this.#result.conversations}`
      const talker = new Talker(name, stage)
      const talk = await this.#converse({
        next: () => talker.next(),
        hear: (turn, answer) => talker.hear(turn, answer),
      })
      this.#result.conversations += 1
      this.#count(talk)
      if (talk.ended?.difference) {
        await this.#restore(talk.exchanges)
        const turns = talk.exchanges.map(({ turn }) => turn)
        await this.#examine(turns, talk.ended, talk.ended.difference, name)
      }
      if (this.#result.conversations % betweenRounds === 0) await this.#playRounds()
      told({ kind: 'conversation', done: this.#result.conversations, exchanges: this.#result.exchanges })
    }
    this.#result.seconds = this.#seconds()
    this.#result.findings = [...this.#findings.values()]
    return this.#result
  }

  #isOver(): boolean {
    const {
      budget = Number.POSITIVE_INFINITY,
      conversations = Number.POSITIVE_INFINITY,
      most = 50,
      ended,
    } = this.#options
    const isSpent = performance.now() - this.#begun >= budget || this.#result.conversations >= conversations
    return isSpent || this.#findings.size + this.#result.histories.length >= most || ended?.() === true
  }

  /** One of each kind. */
  async #playRounds(): Promise<void> {
    const { pair, rounds, seed, id, told } = this.#options
    for (const make of rounds) {
      this.#result.rounds += 1
      this.#rows += 1
      const round = make(randomOf(`${seed}/round ${this.#result.rounds}`), this.#result.rounds)
      const played = await playRound(round, pair.target, pair.worlds.target, `${id}${this.#rows}`)
      this.#result.exchanges += played.requests
      const { histories } = this.#result
      for (const known of histories) if (known.round === round.name) known.of += 1
      if (!played.impossible) continue
      const known = histories.find((one) => one.round === round.name)
      if (known) known.times += 1
      else {
        const of = Math.ceil(this.#result.rounds / rounds.length)
        const history = {
          ...played.impossible,
          id: `H${histories.length + 1}`,
          times: 1,
          of,
          seenAfter: this.#seconds(),
        }
        histories.push(history)
        told({ kind: 'history', history })
      }
    }
  }

  #seconds = (): number => Math.round(performance.now() - this.#begun) / 1000

  #converse(source: Parameters<typeof converse>[1]): Promise<Talk> {
    this.#rows += 1
    return converse(this.#options.pair, source, `${this.#options.id}${this.#rows}`, (exchange) =>
      this.#isKnown(exchange),
    )
  }

  /** What is known already, and leaves both ledgers alike, need not end a conversation. */
  #isKnown(exchange: Exchange): boolean {
    const { turn, difference } = exchange
    if (!difference) return true
    const signature = signatureOf(turn, difference)
    const known = this.#findings.get(signature)
    const isPermitted = !known && this.#options.rulebook.rule(exchange, []) === 'permitted'
    const { permitted } = this.#result
    if (known) known.times += 1
    else if (isPermitted) permitted.set(signature, (permitted.get(signature) ?? 0) + 1)
    return (known !== undefined || isPermitted) && difference.outcomes.model === difference.outcomes.target
  }

  #count({ exchanges }: Talk): void {
    this.#result.exchanges += exchanges.length
    const { outcomes, values } = this.#result
    for (const { turn, model } of exchanges) {
      addTo(outcomes, `${turn.operation} ${saidBy(model)}`)
      const body = bodyOfTurn(turn)
      if (!isJudged(turn) || typeof body !== 'object' || body === null || Array.isArray(body)) continue
      const members = this.#members.get(turn.operation) ?? new Set<string>()
      this.#members.set(turn.operation, members)
      for (const name of Object.keys(body)) members.add(name)
      for (const name of members) addTo(values, `${turn.operation} ${name} ${valueClass(body[name])}`)
    }
  }

  /** Where a conversation may have changed what is vetted, that is put back on both sides. */
  async #restore(exchanges: readonly Pick<Exchange, 'turn'>[]): Promise<void> {
    if (!exchanges.some(({ turn }) => turn.operation === 'update-package-vetting')) return
    await this.#converse(written(this.#options.restoring()))
  }

  async #examine(turns: Turn[], exchange: Exchange, difference: Difference, seed: string): Promise<void> {
    const signature = signatureOf(exchange.turn, difference)
    if (this.#findings.has(signature) || this.#result.permitted.has(signature)) return
    const seenAfter = this.#seconds()
    let last = exchange
    let before: readonly Exchange[] = []
    const stillDiffers = async (candidate: readonly Turn[]): Promise<boolean> => {
      const { ended, exchanges } = await this.#attempt(candidate)
      const isSame = ended?.difference !== undefined && signatureOf(ended.turn, ended.difference) === signature
      if (!isSame || exchanges.length !== candidate.length) return false
      last = ended
      before = exchanges.slice(0, -1)
      return true
    }
    if (!(await this.#confirmed(turns, stillDiffers))) {
      this.#result.unconfirmed.set(signature, (this.#result.unconfirmed.get(signature) ?? 0) + 1)
      return this.#options.told({ kind: 'unconfirmed', signature })
    }
    const until = performance.now() + longestShrinking
    const shrunk = await shrink(turns, stillDiffers, { attempts: mostAttempts, until })
    if (await this.#adapted(shrunk.turns, last)) return
    const ruling = this.#options.rulebook.rule(last, before)
    if (ruling === 'permitted') return void this.#result.permitted.set(signature, 1)
    const bare = {
      id: `F${this.#findings.size + 1}`,
      ...{
        signature,
        ruling,
        difference: this.#clean(last.difference ?? difference),
        turns: shrunk.turns,
        times: 1,
        seed,
      },
      answers: { model: this.#shown(last.model), target: this.#shown(last.target) },
      ...{ shrunkFrom: turns.length, attempts: shrunk.attempts, seenAfter, shrunkAfter: this.#seconds() },
    }
    const finding: Finding = {
      ...bare,
      ...this.#options.tell(
        bare,
        [...before, last].map((one, index) => ({ ...one, turn: shrunk.turns[index] ?? one.turn })),
      ),
    }
    this.#findings.set(signature, finding)
    this.#options.told({ kind: 'finding', finding })
  }

  async #confirmed(
    turns: readonly Turn[],
    stillDiffers: (turns: readonly Turn[]) => Promise<boolean>,
  ): Promise<boolean> {
    for (let count = 0; count < confirmations; count += 1) if (await stillDiffers(turns)) return true
    return false
  }

  async #attempt(turns: readonly Turn[]): Promise<Talk> {
    this.#rows += 1
    const row = `${this.#options.id}${this.#rows}`
    const talk = await converse(
      this.#options.pair,
      written(turns.filter(({ restores }) => !restores)),
      row,
      ({ turn }) => turn !== turns.at(-1),
    )
    await this.#restore(talk.exchanges)
    return talk
  }

  /** Whether the model does as the target by one of its switch points; from then on it does. */
  async #adapted(turns: readonly Turn[], { turn, model, target }: Exchange): Promise<boolean> {
    const points = await this.#options.adaptation?.adapt(async () => {
      const { exchanges } = await this.#attempt(turns)
      return exchanges.every(({ difference }) => difference === undefined)
    })
    if (!points || points.length === 0) return false
    const ids = points.flatMap(({ divergences }) => divergences)
    if (ids.length === 0) {
      for (const { name } of points) this.#result.permitted.set(name, 1)
      return true
    }
    const divergence: MetDivergence = {
      ids,
      points: points.map(({ name }) => name),
      operation: turn.operation,
      model: saidBy(model),
      target: saidBy(target),
    }
    this.#result.divergences.push(divergence)
    this.#options.told({ kind: 'divergence', divergence })
    return true
  }

  /** Values of answers are whatever a participant sends. */
  #clean(difference: Difference): Difference {
    const cleaned = (value: JsonValue): JsonValue => parseJson(this.#options.redaction.clean(printJson(value)))
    return { ...difference, model: cleaned(difference.model), target: cleaned(difference.target) }
  }

  #shown(told: Exchange['model']): ToldAnswer {
    const text = this.#options.redaction.clean(
      told.answer?.text ?? told.evidence?.problem?.message ?? told.unsent ?? '',
    )
    return { said: saidBy(told), body: text.length > longestShown ? `${text.slice(0, longestShown)}…` : text }
  }
}
