/** A missing answer is an outage if the target does not answer a request for its version either. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Reason } from '../../record/types/reason.js'
import type { Evidence, RecordedOutage } from '../../record/types/record.js'
import { isUnavailable, type Load, loadOf, mayHaveHadEffect, readRetryRequest } from './availability.js'
import type { BuiltRequest } from './build-request.js'
import type { EarlyEnd } from './early-end.js'
import { type ExchangeLabel, type Transport, unsentEvidence } from './transport.js'

interface GuardOptions {
  /** Of an exploration. */
  side?: string
  /** After repeated timeouts a path is no longer sent. Default: true. */
  skipsSilentPaths?: boolean
  /** Every available target answers the probe. */
  probe: () => Promise<Evidence>
  /** The id of another participant that answers. */
  findDifferentParticipant?: () => Promise<string | undefined>
  /** Error codes of the profiles: with one of them, a 429 asks for no wait. */
  errorCodes?: ReadonlySet<string>
  /** Milliseconds until the run gives up. */
  patience: number
  end: EarlyEnd
  /** Called at the start and the end of an outage. */
  report?: (outage: RecordedOutage) => void
  /** Milliseconds since 1970. */
  now?: () => number
}

export interface Disruption {
  reason: Reason
  /** No request but setup can have had an effect. */
  repeatable: boolean
}

/** Called for each answer, also of a request that is sent again. */
export type Received = (evidence: Evidence, load: Load) => void

/** Why a path is no longer sent. */
interface Skipped {
  reason: Reason
  /** Follows "not sent, because". */
  why: string
}

export interface WatchedTransport extends Transport {
  readonly disruption: Disruption | undefined
}

const firstPause = 250
const longestPause = 2000
/** Milliseconds for all waits of one exchange, with and without a stated time. */
const longestWait = 20_000
const longestDefaultWait = 5000
const defaultWait = 1000
/** Consecutive timeouts, after which a path is skipped. */
const silentAfter = 3

export class OutageGuard {
  readonly #transport: Transport
  readonly #options: GuardOptions
  readonly #now: () => number
  readonly outages: RecordedOutage[] = []
  #check: Promise<RecordedOutage | undefined> | undefined
  /** Nothing is sent before this time, after a 429. */
  #quietUntil = 0
  readonly #unanswered = new Map<string, number>()
  readonly #answered = new Set<string>()
  readonly #skipped = new Map<string, Skipped>()
  /** First 429 of each path: concurrent requests share one wait. */
  readonly #busySince = new Map<string, number>()
  #hasWorked = false

  constructor(transport: Transport, options: GuardOptions) {
    this.#transport = transport
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** An unanswered path is sent once. */
  readonly provisioning: Transport = {
    send: async (request, label) => {
      const { evidence } = await this.#exchange(request, label, 1, () => undefined)
      return evidence
    },
  }

  targetHasWorked(): void {
    this.#hasWorked = true
  }

  /** Ends the run if a different participant answers. A restart between two requests shows no missing answer. */
  async checkParticipant(): Promise<void> {
    const participant = await this.#options.findDifferentParticipant?.()
    if (participant === undefined) return
    this.outages.push({ from: new Date(this.#now()).toISOString() })
    this.#options.end.decide({ cause: 'target-gone', participant, ...this.#side })
  }

  /** The target did not answer again, or a different participant answered. */
  get isGone(): boolean {
    return this.#gone !== undefined
  }

  get #gone(): RecordedOutage | undefined {
    const last = this.outages.at(-1)
    return this.#options.end.decided?.cause === 'target-gone' && last?.to === undefined ? last : undefined
  }

  get #side(): { side?: string } {
    const { side } = this.#options
    return side === undefined ? {} : { side }
  }

  forRow(received: Received = () => undefined): WatchedTransport {
    let disruption: Disruption | undefined
    let mayHaveChanged = false
    const send: Transport['send'] = async (request, label) => {
      const { evidence, reason } = await this.#exchange(request, label, silentAfter, received)
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
    received: Received,
    isSecond = false,
  ): Promise<{ evidence: Evidence; reason?: Reason }> {
    const key = pathOf(request)
    const isRestoring = label.role === 'restore'
    const gone = this.#gone
    const unsent = (why: string): Evidence => unsentEvidence(label, 'refused', `not sent, because ${why}`, request)
    if (gone) return { evidence: unsent('the target is gone'), reason: this.#outage(gone) }
    const skipped = isRestoring ? undefined : this.#skipped.get(key)
    if (skipped) return { evidence: unsent(skipped.why), reason: skipped.reason }
    await this.#waitUntilOpen(isRestoring)
    const { evidence, reason } = await this.#sendPatiently(request, label, received)
    if (reason !== undefined) return { evidence, reason }
    if (!isUnavailable(evidence)) {
      this.#unanswered.delete(key)
      this.#skipped.delete(key)
      this.#answered.add(key)
      return { evidence }
    }
    const outage = await this.#findOutage(evidence)
    // A second restore is harmless; a missing one is not.
    if (outage?.to !== undefined && isRestoring && !isSecond)
      return this.#exchange(request, label, enough, received, true)
    if (outage) return { evidence, reason: this.#outage(outage) }
    // Only timeouts cost enough time to skip the path.
    if (evidence.problem?.code === 'timeout') this.#countSilence(key, enough)
    return { evidence }
  }

  /** A path that was never answered needs fewer timeouts. */
  #countSilence(key: string, enough: number): void {
    const times = (this.#unanswered.get(key) ?? 0) + 1
    this.#unanswered.set(key, times)
    if (times < (this.#answered.has(key) ? silentAfter : enough)) return
    const why = `${key} timed out ${times === 1 ? 'once' : `${times} times`}`
    this.#skip(key, { reason: { code: 'path-silent', path: key, times }, why })
  }

  #skip(key: string, skipped: Skipped): void {
    if (this.#options.skipsSilentPaths !== false) this.#skipped.set(key, skipped)
  }

  async #waitUntilOpen(isRestoring: boolean): Promise<void> {
    while (this.#check) await this.#check
    const wait = this.#quietUntil - this.#now()
    // A run that ends still restores.
    if (wait > 0) await (isRestoring ? delay(wait) : this.#options.end.pause(wait))
  }

  async #sendPatiently(
    request: BuiltRequest,
    label: ExchangeLabel,
    received: Received,
  ): Promise<{ evidence: Evidence; reason?: Reason }> {
    const isRestoring = label.role === 'restore'
    const key = pathOf(request)
    const begin = this.#now()
    let busy: Evidence['earlier']
    for (let attempt = 1; ; attempt += 1) {
      const evidence = await resendIfPartlySent(() => this.#transport.send(request, label))
      // After a 408, HTTP permits a repetition. A target that was halted returns it.
      if (attempt === 1 && evidence.response?.status === 408) continue
      const requested = readRetryRequest(evidence, this.#now(), this.#options.errorCodes)
      received(evidence, loadOf(evidence, requested !== undefined))
      if (requested === undefined) {
        this.#busySince.delete(key)
        return { evidence: busy ? { ...evidence, earlier: busy } : evidence }
      }
      busy ??= earlierOf(evidence)
      const since = this.#busySince.get(key) ?? begin
      this.#busySince.set(key, since)
      if (this.#options.end.decided && !isRestoring) return { evidence, reason: { code: 'busy-at-end', ...this.#side } }
      const wait = requested.milliseconds ?? defaultWait
      const longest = requested.milliseconds === undefined ? longestDefaultWait : longestWait
      if (this.#now() - (isRestoring ? begin : since) + wait > longest) {
        const isRequested = requested.milliseconds !== undefined
        const reason: Reason = {
          code: 'too-busy',
          seconds: longest / 1000,
          ...(isRequested && { requested: true }),
          ...this.#side,
        }
        this.#skip(key, { reason, why: `${key} returned 429, and the run waits at most ${longest / 1000} s` })
        return { evidence, reason }
      }
      // `Retry-After: 0` must not cause a busy loop.
      this.#quietUntil = Math.max(this.#quietUntil, this.#now() + Math.max(wait, firstPause))
      await this.#waitUntilOpen(isRestoring)
    }
  }

  #outage({ from, to }: RecordedOutage): Reason {
    return { code: 'outage', from, ...(to !== undefined && { to }), ...this.#side }
  }

  async #findOutage({ startedAt, problem }: Evidence): Promise<RecordedOutage | undefined> {
    if (!this.#hasWorked) return undefined
    const known = this.outages.findLast(({ to }) => to !== undefined && to >= startedAt)
    if (known) return known
    this.#check ??= this.#waitForTarget(startedAt, problem?.code).finally(() => {
      this.#check = undefined
    })
    return this.#check
  }

  async #waitForTarget(from: string, code: string | undefined): Promise<RecordedOutage | undefined> {
    const { probe, patience, end, report, findDifferentParticipant } = this.#options
    // A refused connection does not depend on the request.
    if (code !== 'refused' && !isUnavailable(await probe())) {
      if (code === 'reset') await this.checkParticipant()
      return this.#gone
    }
    const outage: RecordedOutage = { from }
    this.outages.push(outage)
    report?.(outage)
    const giveUp = Math.max(Date.parse(from), 0) + patience
    for (let pause = firstPause; !end.decided; pause = Math.min(pause * 2, longestPause)) {
      await end.pause(pause)
      if (end.decided) break
      const isBack = !isUnavailable(await probe())
      const participant = isBack ? await findDifferentParticipant?.() : undefined
      if (isBack && participant === undefined) {
        outage.to = new Date(this.#now()).toISOString()
        report?.(outage)
        return outage
      }
      if (isBack || this.#now() > giveUp)
        end.decide({ cause: 'target-gone', from, ...(participant !== undefined && { participant }), ...this.#side })
    }
    return outage
  }
}

const earlierOf = ({ startedAt, milliseconds }: Evidence): Evidence['earlier'] => ({
  message: 'the target returned 429',
  status: 429,
  startedAt,
  milliseconds,
})

/**
 * The target received only a part of the request, so it had no effect and is sent again once. The first attempt becomes
 * `earlier`. `send` must open a new connection.
 */
async function resendIfPartlySent(send: () => Promise<Evidence>): Promise<Evidence> {
  const first = await send()
  if (!first.problem?.partlySent) return first
  const { problem, startedAt, milliseconds } = first
  return { ...(await send()), earlier: { message: problem.message, startedAt, milliseconds } }
}

const pathOf = ({ path }: BuiltRequest): string => path.split('?')[0] ?? ''
