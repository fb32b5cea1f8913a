/**
 * Stands between rows and the transport, so that a target that is gone for a while is not taken for one that answers wrongly.
 * An exchange without an answer is told from an outage by asking for the version, which every participant answers at once: where
 * that is answered, the missing answer is the row's own affair. Where it is not, everything waits, bounded.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Evidence } from '../../record/types/record.js'
import { isUnavailable, mayHaveHadEffect, readRetryRequest } from './availability.js'
import type { BuiltRequest } from './build-request.js'
import type { EarlyEnd } from './early-end.js'
import type { ConnectionUse } from './held-connection.js'
import { resendIfPartlySent } from './resend-if-partly-sent.js'
import type { ExchangeLabel, Transport } from './transport.js'

/** A time in which the target did not answer; `to` is absent where it has not come back. ISO 8601. */
export interface Outage {
  from: string
  to?: string
}

interface GuardOptions {
  /** Asks for what is always answered; its evidence tells whether somebody is there. */
  probe: () => Promise<Evidence>
  /** Asked of a target that is back: what it is instead, if it is not the one that was there, as the end of a sentence. */
  stranger?: () => Promise<string | undefined>
  /** Milliseconds from the first unanswered exchange after which nobody waits any longer. */
  patience: number
  end: EarlyEnd
  /** Hears when the run begins to wait, and when it goes on. */
  told?: (outage: Outage) => void
  /** Milliseconds since 1970. */
  now?: () => number
}

/** What befell the exchanges of one row that is not the row's doing. */
export interface Disruption {
  /** A sentence: why the row cannot be judged. */
  reason: string
  /** Nothing that was sent up to then can have had an effect, apart from preparing the row: it prepares anew under another marker. */
  repeatable: boolean
}

/** A transport for one row, which also knows what befell it. */
interface WatchedTransport extends Transport {
  readonly disruption: Disruption | undefined
}

const firstPause = 250
const longestPause = 2000
/** A target may ask to wait that long in all, for one exchange; or so long, if it does not say how long. */
const longestWait = 20_000
const longestGuess = 5000
const guess = 1000
/** So many exchanges of one path without an answer, and none with one between them, are enough to know it. */
const silentAfter = 3

export class OutageGuard {
  readonly #transport: Transport
  readonly #options: GuardOptions
  readonly #now: () => number
  readonly outages: Outage[] = []
  #check: Promise<Outage | undefined> | undefined
  /** Until then nothing is sent: the target asked for it. */
  #quietUntil = 0
  readonly #unanswered = new Map<string, number>()
  readonly #answered = new Set<string>()
  readonly #silent = new Set<string>()
  readonly #times: number[] = []
  #hasWorked = false

  constructor(transport: Transport, options: GuardOptions) {
    this.#transport = transport
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** For what a run sends by itself, before and after its rows: an unanswered path is asked for once. */
  readonly provisioning: Transport = {
    send: async (request, label) => this.#exchange(request, label, 1).then((one) => one.evidence),
  }

  /** From now on a missing answer may be an outage: the target has answered, so that it was there. */
  targetHasWorked(): void {
    this.#hasWorked = true
  }

  /** The median of what the target took to answer up to now, in milliseconds. */
  latency(): number | undefined {
    return this.#times.toSorted((a, b) => a - b)[this.#times.length >> 1]
  }

  /** `received` hears of each exchange as soon as it is over. */
  forRow(received: (evidence: Evidence) => void = () => undefined): WatchedTransport {
    let disruption: Disruption | undefined
    let mayHaveChanged = false
    const send: Transport['send'] = async (request, label, use) => {
      const { evidence, reason } = await this.#exchange(request, label, silentAfter, use)
      received(evidence)
      mayHaveChanged ||= label.role !== 'arrange' && mayHaveHadEffect(request.method, request.path, evidence)
      if (reason !== undefined) disruption ??= { reason, repeatable: !mayHaveChanged }
      else if (disruption) disruption = { ...disruption, repeatable: !mayHaveChanged }
      return evidence
    }
    return {
      send,
      get disruption() {
        return disruption
      },
    }
  }

  async #exchange(
    request: BuiltRequest,
    label: ExchangeLabel,
    enough: number,
    use?: ConnectionUse,
    isSecond = false,
  ): Promise<{ evidence: Evidence; reason?: string }> {
    const key = pathOf(request)
    const isRestoring = label.role === 'restore'
    const [gone] = this.#options.end.decided?.cause === 'target-gone' ? this.outages.slice(-1) : []
    if (gone) return { evidence: unsent(request, label, inWords(gone)), reason: inWords(gone) }
    if (this.#silent.has(key) && !isRestoring) {
      const reason = `${key} was not answered in time again and again, and is not asked for any more`
      return { evidence: unsent(request, label, reason), reason }
    }
    await this.#open(isRestoring)
    const { evidence, reason } = await this.#patiently(request, label, use)
    if (reason !== undefined) return { evidence, reason }
    if (!isUnavailable(evidence)) {
      this.#unanswered.delete(key)
      this.#silent.delete(key)
      this.#answered.add(key)
      if (!this.#hasWorked) this.#times.push(evidence.milliseconds)
      return { evidence }
    }
    const outage = await this.#isOutage(evidence)
    // To put something back twice does no harm, and to leave it does.
    if (outage?.to !== undefined && isRestoring && !isSecond) return this.#exchange(request, label, enough, use, true)
    if (outage) return { evidence, reason: inWords(outage) }
    // Only what costs a whole time limit is worth leaving out.
    if (evidence.problem?.code === 'timeout') this.#countSilence(key, enough)
    return { evidence }
  }

  /** What has never been answered is known for it sooner than what has. */
  #countSilence(key: string, enough: number): void {
    const times = (this.#unanswered.get(key) ?? 0) + 1
    this.#unanswered.set(key, times)
    if (times >= (this.#answered.has(key) ? silentAfter : enough)) this.#silent.add(key)
  }

  /** Waits where the target is not there, or asked to be left alone. */
  async #open(isRestoring: boolean): Promise<void> {
    while (this.#check) await this.#check
    const wait = this.#quietUntil - this.#now()
    // A run that is ended still puts back what it changed.
    if (wait > 0) await (isRestoring ? delay(wait) : this.#options.end.pause(wait))
  }

  /**
   * Sends, and sends again where the target asks to come back later: it has not looked at the request.
   */
  async #patiently(
    request: BuiltRequest,
    label: ExchangeLabel,
    use: ConnectionUse | undefined,
  ): Promise<{ evidence: Evidence; reason?: string }> {
    const isRestoring = label.role === 'restore'
    const begin = this.#now()
    for (let attempt = 1; ; attempt += 1) {
      const evidence = await resendIfPartlySent(() => this.#transport.send(request, label, use))
      // By HTTP the request has not arrived in time, as happens to a target that was halted meanwhile: it may be sent again.
      if (attempt === 1 && evidence.response?.status === 408) continue
      const asked = readRetryRequest(evidence, this.#now())
      if (asked === undefined) return { evidence }
      if (this.#options.end.decided && !isRestoring)
        return { evidence, reason: 'the target asked to come back later (429), and the run was ended meanwhile' }
      const wait = asked.milliseconds ?? guess
      const longest = asked.milliseconds === undefined ? longestGuess : longestWait
      if (this.#now() - begin + wait > longest) {
        this.#silent.add(pathOf(request))
        const reason = `the target asked again and again to come back later (429), for more than ${longest / 1000} s in all`
        return { evidence, reason }
      }
      // At least a moment, so that an answer of zero seconds cannot keep a run busy.
      this.#quietUntil = Math.max(this.#quietUntil, this.#now() + Math.max(wait, firstPause))
      await this.#open(isRestoring)
    }
  }

  /** Undefined: somebody answers. Otherwise it has been waited for the target, with or without success. */
  async #isOutage({ startedAt, problem }: Evidence): Promise<Outage | undefined> {
    if (!this.#hasWorked) return undefined
    const known = this.outages.findLast(({ to }) => to !== undefined && to >= startedAt)
    if (known) return known
    // Whether a connection is taken cannot depend on what would have been sent over it.
    const isCertain = problem?.code === 'refused'
    this.#check ??= this.#waitForTarget(startedAt, isCertain).finally(() => {
      this.#check = undefined
    })
    return this.#check
  }

  async #waitForTarget(from: string, isCertain: boolean): Promise<Outage | undefined> {
    const { probe, patience, end, told, stranger } = this.#options
    if (!isCertain && !isUnavailable(await probe())) return undefined
    const outage: Outage = { from }
    this.outages.push(outage)
    told?.(outage)
    const giveUp = Math.max(Date.parse(from), 0) + patience
    for (let pause = firstPause; !end.decided; pause = Math.min(pause * 2, longestPause)) {
      await end.pause(pause)
      if (end.decided) break
      const isThere = !isUnavailable(await probe())
      const other = isThere ? await stranger?.() : undefined
      if (isThere && other === undefined) {
        outage.to = new Date(this.#now()).toISOString()
        told?.(outage)
        return outage
      }
      if (isThere || this.#now() > giveUp) {
        const sentence = `${sentenceOf(outage)}, and ${other ?? 'did not come back'}.`
        end.decide({ cause: 'target-gone', sentence })
      }
    }
    return outage
  }
}

const pathOf = ({ path }: BuiltRequest): string => path.split('?')[0] ?? ''

const clockTime = (iso: string): string => iso.slice(11, 19)

const sentenceOf = ({ from }: Outage): string => `The target did not answer from ${clockTime(from)} (UTC) on`

const inWords = ({ from, to }: Outage): string =>
  `the target did not answer from ${clockTime(from)} on${to === undefined ? '' : `, until ${clockTime(to)}`}`

function unsent(request: BuiltRequest, label: ExchangeLabel, message: string): Evidence {
  return {
    ...label,
    request: { method: request.method, url: request.path, headers: [] },
    problem: { code: 'refused', message },
    startedAt: new Date().toISOString(),
    milliseconds: 0,
  }
}
