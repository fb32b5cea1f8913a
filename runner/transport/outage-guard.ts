/**
 * Sends requests and waits during an outage, so that an unavailable target is not judged. An exchange without answer is an outage if
 * the target does not answer a request for its version either.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Evidence } from '../../record/types/record.js'
import { isUnavailable, mayHaveHadEffect, readRetryRequest } from './availability.js'
import type { BuiltRequest } from './build-request.js'
import type { EarlyEnd } from './early-end.js'
import type { ConnectionUse } from './held-connection.js'
import { resendIfPartlySent } from './resend-if-partly-sent.js'
import type { ExchangeLabel, Transport } from './transport.js'

/** ISO 8601; `to` is absent if the target did not come back. */
export interface Outage {
  from: string
  to?: string
}

interface GuardOptions {
  /** Sends a request that every available target answers. */
  probe: () => Promise<Evidence>
  /** Called when the target is back. The description follows "the target". */
  findDifferentParticipant?: () => Promise<string | undefined>
  /** Milliseconds from the first unanswered exchange until the run gives up. */
  patience: number
  end: EarlyEnd
  /** Called at the start and at the end of an outage. */
  report?: (outage: Outage) => void
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Why a row cannot be judged: an outage or a repeated 429. */
export interface Disruption {
  reason: string
  /** No request but setup can have had an effect. */
  repeatable: boolean
}

interface WatchedTransport extends Transport {
  readonly disruption: Disruption | undefined
}

const firstPause = 250
const longestPause = 2000
/** Milliseconds for all waits of one exchange after 429, with and without a stated time. */
const longestWait = 20_000
const longestDefaultWait = 5000
const defaultWait = 1000
/** Consecutive timeouts of a path after which it is no longer sent. */
const silentAfter = 3

export class OutageGuard {
  readonly #transport: Transport
  readonly #options: GuardOptions
  readonly #now: () => number
  readonly outages: Outage[] = []
  #check: Promise<Outage | undefined> | undefined
  /** Nothing is sent before this time, after a 429. */
  #quietUntil = 0
  readonly #unanswered = new Map<string, number>()
  readonly #answered = new Set<string>()
  readonly #silent = new Set<string>()
  /** The time of the first 429 of each path since its last other answer: concurrent requests share one wait. */
  readonly #busySince = new Map<string, number>()
  readonly #times: number[] = []
  #hasWorked = false

  constructor(transport: Transport, options: GuardOptions) {
    this.#transport = transport
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** For requests outside rows: an unanswered path is sent once. */
  readonly provisioning: Transport = {
    send: async (request, label) => this.#exchange(request, label, 1).then((one) => one.evidence),
  }

  /** From now on a missing answer may be an outage. */
  targetHasWorked(): void {
    this.#hasWorked = true
  }

  /** Median time of the answers so far, in milliseconds. */
  latency(): number | undefined {
    return this.#times.toSorted((a, b) => a - b)[this.#times.length >> 1]
  }

  /** `received` is called after each exchange. */
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
    if (gone) return { evidence: unsent(request, label, describeOutage(gone)), reason: describeOutage(gone) }
    if (this.#silent.has(key) && !isRestoring) {
      const reason = `${key} timed out repeatedly and is no longer sent`
      return { evidence: unsent(request, label, reason), reason }
    }
    await this.#waitUntilOpen(isRestoring)
    const { evidence, reason } = await this.#sendPatiently(request, label, use)
    if (reason !== undefined) return { evidence, reason }
    if (!isUnavailable(evidence)) {
      this.#unanswered.delete(key)
      this.#silent.delete(key)
      this.#answered.add(key)
      if (!this.#hasWorked) this.#times.push(evidence.milliseconds)
      return { evidence }
    }
    const outage = await this.#findOutage(evidence)
    // A second restore is harmless; a missing one is not.
    if (outage?.to !== undefined && isRestoring && !isSecond) return this.#exchange(request, label, enough, use, true)
    if (outage) return { evidence, reason: describeOutage(outage) }
    // Only timeouts cost enough time to skip the path.
    if (evidence.problem?.code === 'timeout') this.#countSilence(key, enough)
    return { evidence }
  }

  /** A path that was never answered needs fewer timeouts than one that was. */
  #countSilence(key: string, enough: number): void {
    const times = (this.#unanswered.get(key) ?? 0) + 1
    this.#unanswered.set(key, times)
    if (times >= (this.#answered.has(key) ? silentAfter : enough)) this.#silent.add(key)
  }

  /** Waits during an outage, and after a 429. */
  async #waitUntilOpen(isRestoring: boolean): Promise<void> {
    while (this.#check) await this.#check
    const wait = this.#quietUntil - this.#now()
    // A run that ends still restores.
    if (wait > 0) await (isRestoring ? delay(wait) : this.#options.end.pause(wait))
  }

  /** Sends again after a 429: the target did not process the request. */
  async #sendPatiently(
    request: BuiltRequest,
    label: ExchangeLabel,
    use: ConnectionUse | undefined,
  ): Promise<{ evidence: Evidence; reason?: string }> {
    const isRestoring = label.role === 'restore'
    const key = pathOf(request)
    const begin = this.#now()
    for (let attempt = 1; ; attempt += 1) {
      const evidence = await resendIfPartlySent(() => this.#transport.send(request, label, use))
      // After a 408, HTTP permits a repetition. A target that was halted returns it.
      if (attempt === 1 && evidence.response?.status === 408) continue
      const requested = readRetryRequest(evidence, this.#now())
      if (requested === undefined) {
        this.#busySince.delete(key)
        return { evidence }
      }
      const since = this.#busySince.get(key) ?? begin
      this.#busySince.set(key, since)
      if (this.#options.end.decided && !isRestoring)
        return { evidence, reason: 'the target returned 429, and the run ended before the retry' }
      const wait = requested.milliseconds ?? defaultWait
      const longest = requested.milliseconds === undefined ? longestDefaultWait : longestWait
      if (this.#now() - (isRestoring ? begin : since) + wait > longest) {
        this.#silent.add(key)
        const limit = `more than ${longest / 1000} s`
        const reason =
          requested.milliseconds === undefined
            ? `the target returned 429 for ${limit}`
            : `the target returned 429 and requested to wait ${limit}`
        return { evidence, reason }
      }
      // A minimum, so that `Retry-After: 0` cannot cause a busy loop.
      this.#quietUntil = Math.max(this.#quietUntil, this.#now() + Math.max(wait, firstPause))
      await this.#waitUntilOpen(isRestoring)
    }
  }

  /** Undefined if the target answers. Otherwise waits for it and returns the outage. */
  async #findOutage({ startedAt, problem }: Evidence): Promise<Outage | undefined> {
    if (!this.#hasWorked) return undefined
    const known = this.outages.findLast(({ to }) => to !== undefined && to >= startedAt)
    if (known) return known
    // A refused connection does not depend on the request.
    const isCertain = problem?.code === 'refused'
    this.#check ??= this.#waitForTarget(startedAt, isCertain).finally(() => {
      this.#check = undefined
    })
    return this.#check
  }

  async #waitForTarget(from: string, isCertain: boolean): Promise<Outage | undefined> {
    const { probe, patience, end, report, findDifferentParticipant } = this.#options
    if (!isCertain && !isUnavailable(await probe())) return undefined
    const outage: Outage = { from }
    this.outages.push(outage)
    report?.(outage)
    const giveUp = Math.max(Date.parse(from), 0) + patience
    for (let pause = firstPause; !end.decided; pause = Math.min(pause * 2, longestPause)) {
      await end.pause(pause)
      if (end.decided) break
      const isBack = !isUnavailable(await probe())
      const other = isBack ? await findDifferentParticipant?.() : undefined
      if (isBack && other === undefined) {
        outage.to = new Date(this.#now()).toISOString()
        report?.(outage)
        return outage
      }
      if (isBack || this.#now() > giveUp) {
        const sentence = `The target stopped answering at ${clockTime(from)} (UTC) and ${other ?? 'did not come back'}.`
        end.decide({ cause: 'target-gone', sentence })
      }
    }
    return outage
  }
}

const pathOf = ({ path }: BuiltRequest): string => path.split('?')[0] ?? ''

const clockTime = (iso: string): string => iso.slice(11, 19)

const describeOutage = ({ from, to }: Outage): string =>
  to === undefined
    ? `the target stopped answering at ${clockTime(from)} (UTC)`
    : `the target did not answer from ${clockTime(from)} to ${clockTime(to)} (UTC)`

function unsent(request: BuiltRequest, label: ExchangeLabel, message: string): Evidence {
  return {
    ...label,
    request: { method: request.method, url: request.path, headers: [] },
    problem: { code: 'refused', message },
    startedAt: new Date().toISOString(),
    milliseconds: 0,
  }
}
