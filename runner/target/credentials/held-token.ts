/** A token that is kept for as long as it is of use, and then fetched anew; by a clock that nobody can set back. */

import type { JWTPayload } from 'jose'
import { decodeJwt } from 'jose/jwt/decode'

/** Both in milliseconds: the time of day, which may be set back, and the time since something, which only grows. */
export interface Clock {
  wall(): number
  elapsed(): number
}

export const systemClock: Clock = { wall: () => Date.now(), elapsed: () => performance.now() }

interface FreshToken {
  token: string
  /** Seconds for which it can be used, from now on; undefined where nobody says. */
  seconds: number | undefined
}

/** A token is renewed so many seconds before it ends, or after three quarters of a shorter life. */
const renewBefore = 60
/** Seconds after which a token is fetched again whose end nobody tells. */
const lifeUntold = 60
/** Milliseconds by which the time of day may drift before it counts as set. */
const drift = 5000

export class HeldToken {
  readonly #fetch: () => Promise<FreshToken>
  readonly #clock: Clock
  #held: { token: string; renewAt: number; offset: number } | undefined
  #fetching: Promise<string> | undefined

  constructor(fetch: () => Promise<FreshToken>, clock: Clock) {
    this.#fetch = fetch
    this.#clock = clock
  }

  /** Rejects as `fetch` does. Who comes while it is fetched gets the same. */
  async current(): Promise<string> {
    const held = this.#held
    // A token that was made by a clock that has been set since may end in the past, or in too distant a future.
    if (held && this.#clock.elapsed() < held.renewAt && Math.abs(this.#offset() - held.offset) < drift)
      return held.token
    this.#fetching ??= this.#renew().finally(() => {
      this.#fetching = undefined
    })
    return this.#fetching
  }

  async #renew(): Promise<string> {
    const begin = this.#clock.elapsed()
    const offset = this.#offset()
    const { token, seconds = lifeUntold } = await this.#fetch()
    const usable = Math.max(seconds - renewBefore, seconds * 0.75)
    this.#held = { token, renewAt: begin + usable * 1000, offset }
    return token
  }

  #offset(): number {
    return this.#clock.wall() - this.#clock.elapsed()
  }
}

/** What a token says of itself; undefined where it is no signed token that could be read. Nobody checks a signature here. */
export function claimsIn(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token)
  } catch {
    return undefined
  }
}

/** How long a token lives that was made just now: by its own word, whatever clock its maker has. */
export function lifeOf(token: string, wall: number): number | undefined {
  const { iat, exp } = claimsIn(token) ?? {}
  if (exp === undefined) return undefined
  return exp - (iat ?? Math.floor(wall / 1000))
}
