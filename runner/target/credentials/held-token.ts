import type { JWTPayload } from 'jose'
import { decodeJwt } from 'jose/jwt/decode'

/** Milliseconds. */
export interface Clock {
  wall(): number
  elapsed(): number
}

export const systemClock: Clock = { wall: () => Date.now(), elapsed: () => performance.now() }

interface FreshToken {
  token: string
  seconds: number | undefined
}

/** Seconds before expiry; for short-lived tokens, a quarter of the lifetime. */
const renewBefore = 60
/** Seconds of a token without expiry. */
const defaultLifetime = 60
/** Milliseconds of drift after which the wall clock counts as changed. */
const maxDrift = 5000

export class HeldToken {
  readonly #fetch: () => Promise<FreshToken>
  readonly #clock: Clock
  #held: { token: string; renewAt: number; offset: number } | undefined
  #fetching: Promise<string> | undefined

  constructor(fetch: () => Promise<FreshToken>, clock: Clock) {
    this.#fetch = fetch
    this.#clock = clock
  }

  /** Concurrent callers share one fetch. */
  async current(): Promise<string> {
    const held = this.#held
    // After a change of the clock, a minted token may be invalid.
    if (held && this.#clock.elapsed() < held.renewAt && Math.abs(this.#offset() - held.offset) < maxDrift)
      return held.token
    this.#fetching ??= this.#renew().finally(() => {
      this.#fetching = undefined
    })
    return this.#fetching
  }

  async #renew(): Promise<string> {
    const begin = this.#clock.elapsed()
    const offset = this.#offset()
    const { token, seconds = defaultLifetime } = await this.#fetch()
    const usable = Math.max(seconds - renewBefore, seconds * 0.75)
    this.#held = { token, renewAt: begin + usable * 1000, offset }
    return token
  }

  #offset(): number {
    return this.#clock.wall() - this.#clock.elapsed()
  }
}

/** Does not verify the signature. */
export function claimsIn(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token)
  } catch {
    return undefined
  }
}

/** Seconds, by its own `iat`: the clock of the issuer may differ. */
export function lifeOf(token: string, wall: number): number | undefined {
  const { iat, exp } = claimsIn(token) ?? {}
  if (exp === undefined) return undefined
  return exp - (iat ?? Math.floor(wall / 1000))
}
