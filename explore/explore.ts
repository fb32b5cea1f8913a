/** Has random conversations with a target and a model at once, and tells where they differ. */

import { Conversing, type Exchange, type Gate, type Source, type Talk, written } from './compare/run-sequence.js'
import { type Examined, examine, type FoundPart, type Means, mayChangeVetting, restoreOn } from './examine.js'
import { randomOf } from './generate/random.js'
import { Talker } from './generate/sequence-generator.js'
import { changesVetting } from './generate/workloads.js'
import { playRound } from './histories/run-trial.js'
import type { MakeRound } from './histories/trial.js'
import type { Finding, MetDivergence } from './judge/finding.js'
import { signatureOf } from './judge/signature.js'
import { addTo, askedIn, Coverage, type Explored, type HistoryFinding, nothingExplored } from './result.js'
import { Turnstile } from './shared-lock.js'
import { SpareLanes } from './spare-workers.js'
import type { Lane, OpenLane } from './worker.js'

export interface ExploreOptions extends Omit<Means, 'row' | 'retried' | 'untouched'> {
  /** Conversations are had in all of them at once: each in the first as soon as it is open, while the next is opened. */
  lanes: readonly OpenLane[]
  /** Beside them, for attempts that must not meet what others did. */
  spare: OpenLane
  seed: string
  /** Unique to this exploration: it is in the names of all that conversations make. */
  id: string
  /** Milliseconds, or conversations, or requests of all kinds; the first that is reached ends it. */
  budget?: number
  conversations?: number
  requests?: number
  /** Findings after which it ends. */
  most?: number
  /** How a finding is told beside its words; the exchanges end with the one at which the sides differ. */
  tell(
    finding: Omit<Finding, 'yaml' | 'curl'>,
    exchanges: readonly Exchange[],
    lane: Lane,
  ): Pick<Finding, 'yaml' | 'curl'>
  /** What several clients ask the target at once, between conversations: beside them, or alone. */
  rounds: { beside: readonly MakeRound[]; alone: readonly MakeRound[] }
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

/** Conversations between rounds. */
const betweenRounds = 4

/** Rejects with what goes wrong in any of the lanes, once all of them have come to an end. */
export async function explore(options: ExploreOptions): Promise<Explored> {
  return new Exploration(options).run()
}

class Exploration {
  readonly #options: ExploreOptions
  readonly #means: Means
  readonly #begun = performance.now()
  readonly #findings = new Map<string, Finding>()
  readonly #result = nothingExplored()
  readonly #coverage = new Coverage(this.#result)
  readonly #turnstile = new Turnstile()
  /** Conversations that were begun. */
  #number = 0
  #rows = 0
  #hasFailed = false

  constructor(options: ExploreOptions) {
    this.#options = options
    const retried = (count: number): void => {
      this.#result.retried += count
    }
    const spare = new SpareLanes(options.spare)
    this.#means = { ...options, retried, row: () => this.#row(), untouched: () => spare.untouched() }
  }

  async run(): Promise<Explored> {
    const ends: Promise<void>[] = []
    try {
      for (const open of this.#options.lanes) {
        if (this.#isOver()) break
        const lane = await open()
        ends.push(this.#follow(lane))
      }
    } catch (error) {
      this.#hasFailed = true
      ends.push(Promise.reject(error))
    }
    for (const end of await Promise.allSettled(ends)) if (end.status === 'rejected') throw end.reason
    this.#result.seconds = this.#seconds()
    this.#result.findings = [...this.#findings.values()]
    return this.#result
  }

  async #follow(lane: Lane): Promise<void> {
    try {
      while (!this.#isOver()) {
        const number = this.#number
        this.#number += 1
        await this.#converse(lane, number)
      }
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
  }

  #isOver(): boolean {
    const { budget = Infinity, conversations = Infinity, requests = Infinity, ended } = this.#options
    const isSpent = performance.now() - this.#begun >= budget || this.#number >= conversations
    return isSpent || this.#isFull() || askedIn(this.#result) >= requests || this.#hasFailed || ended?.() === true
  }

  #isFull(): boolean {
    return this.#findings.size + this.#result.histories.length >= (this.#options.most ?? 50)
  }

  #row(): string {
    this.#rows += 1
    return `${this.#options.id}${this.#rows}`
  }

  #seconds = (): number => Math.round(performance.now() - this.#begun) / 1000

  /** What is vetted is everybody's: whoever changes that has to be alone. */
  async #converse(lane: Lane, number: number): Promise<void> {
    const { seed, told, rounds } = this.#options
    const isAlone = changesVetting(lane.stage, number)
    const share: Gate = (work) => this.#turnstile.share(work)
    const alone: Gate = (work) => this.#turnstile.alone(work)
    const name = `${seed}/${number}`
    const divergences = this.#result.divergences.length
    const stage = isAlone ? lane.stage : { ...lane.stage, may: { topology: false } }
    const talker = new Talker(name, stage)
    const conversing = new Conversing(lane.pair, this.#row(), (exchange) => this.#isKnown(exchange))
    const said = await (isAlone
      ? alone(() => this.#talk(lane, conversing, talker))
      : this.#talk(lane, conversing, talker, share))
    // What is vetted makes no difference to who reads what has happened.
    const talk = said.ended ? said : await conversing.talk(written(talker.look()), share)
    this.#result.conversations += 1
    this.#coverage.count(talk)
    const { ended } = talk
    if (ended) await alone(() => this.#examine({ lane, talk, ended, seed: name, divergences }))
    if (number % betweenRounds === (isAlone ? 0 : 2))
      for (const round of isAlone ? rounds.alone : rounds.beside)
        await (isAlone ? alone : share)(() => this.#playRound(lane, round))
    told({ kind: 'conversation', done: this.#result.conversations, exchanges: this.#result.exchanges })
  }

  async #talk(lane: Lane, conversing: Conversing, talker: Talker, gate?: Gate): Promise<Talk> {
    let before = 0
    const source: Source = {
      next: () => talker.next(),
      hear: (turn, answer) => {
        this.#result.exchanges += 1
        talker.hear(turn, answer)
      },
      // While somebody was alone, what is vetted may have been changed, by other steps on either side.
      isOver: () => {
        if (!conversing.dependsOnVetting) before = this.#turnstile.times
        return this.#turnstile.times !== before
      },
    }
    const talk = await conversing.talk(source, gate)
    if (talk.ended && mayChangeVetting(talk.exchanges)) await restoreOn(lane, this.#means)
    return talk
  }

  async #playRound({ pair }: Lane, make: MakeRound): Promise<void> {
    const { seed, told } = this.#options
    this.#result.rounds += 1
    const round = make(randomOf(`${seed}/round ${this.#result.rounds}`), this.#result.rounds)
    const played = await playRound(round, pair.target, pair.environments.target, this.#row())
    this.#result.raced += played.requests
    const rounds = (this.#roundsOf.get(round.name) ?? 0) + 1
    this.#roundsOf.set(round.name, rounds)
    const { histories } = this.#result
    const known = histories.find((one) => one.round === round.name)
    if (known) {
      known.of += 1
      if (played.impossible) known.times += 1
    } else if (played.impossible) {
      const id = `H${histories.length + 1}`
      const seenAfter = this.#seconds()
      const askedBefore = askedIn(this.#result)
      const history = { ...played.impossible, id, times: 1, of: rounds, seenAfter, askedBefore }
      histories.push(history)
      told({ kind: 'history', history })
    }
  }

  readonly #roundsOf = new Map<string, number>()

  /** What is known already, and leaves both ledgers alike, need not end a conversation. */
  #isKnown(exchange: Exchange): boolean {
    const { turn, difference } = exchange
    if (!difference) return true
    const signature = signatureOf(turn, difference)
    const known = this.#findings.get(signature)
    const isPermitted = !known && this.#options.rulebook.rule(exchange, []) === 'permitted'
    if (known) known.times += 1
    else if (isPermitted) addTo(this.#result.permitted, signature)
    return (known !== undefined || isPermitted) && difference.outcomes.model === difference.outcomes.target
  }

  async #examine({ lane, talk, ended, seed, divergences }: Ended): Promise<void> {
    const { difference } = ended
    if (!difference || this.#isFull()) return
    const signature = signatureOf(ended.turn, difference)
    if (this.#findings.has(signature) || this.#result.permitted.has(signature)) return
    const seenAfter = this.#seconds()
    const turns = talk.exchanges.map(({ turn }) => turn)
    const examined = await examine({ lane, turns, exchange: ended, difference }, this.#means)
    this.#note(examined, signature, divergences)
    if (examined.kind === 'finding') this.#found(examined, { seed, seenAfter })
  }

  #note(examined: Examined, signature: string, divergences: number): void {
    const { told } = this.#options
    if (examined.kind === 'permitted') for (const name of examined.names) addTo(this.#result.permitted, name)
    if (examined.kind === 'divergence') {
      this.#result.divergences.push(examined.divergence)
      told(examined)
    }
    // Where the model has been made to do as the target meanwhile, there is nothing to be seen any more.
    if (examined.kind === 'unconfirmed' && divergences === this.#result.divergences.length) {
      addTo(this.#result.unconfirmed, signature)
      told({ kind: 'unconfirmed', signature })
    }
  }

  #found(
    { finding, exchanges, lane }: { finding: FoundPart; exchanges: readonly Exchange[]; lane: Lane },
    { seed, seenAfter }: { seed: string; seenAfter: number },
  ): void {
    const id = `F${this.#findings.size + 1}`
    const bare = {
      ...finding,
      id,
      seed,
      times: 1,
      seenAfter,
      shrunkAfter: this.#seconds(),
      askedBefore: askedIn(this.#result),
    }
    const whole: Finding = { ...bare, ...this.#options.tell(bare, exchanges, lane) }
    this.#findings.set(finding.signature, whole)
    this.#options.told({ kind: 'finding', finding: whole })
  }
}

/** A conversation that came to an end where the sides differed. */
interface Ended {
  lane: Lane
  talk: Talk
  ended: Exchange
  seed: string
  /** How many were known when it began. */
  divergences: number
}
