/** Milliseconds without a sign of another connection, after which the latest one counts as the only client. */
const longestPause = 1_000

/** Detects whether only one client uses the participant. */
export class ConnectionActivity {
  #latest: object | undefined
  #heard = Number.NEGATIVE_INFINITY
  #otherHeard = Number.NEGATIVE_INFINITY

  /** Call it for each new connection and each request. */
  heard(connection: object): void {
    if (connection !== this.#latest) {
      this.#latest = connection
      this.#otherHeard = this.#heard
    }
    this.#heard = performance.now()
  }

  get hasSingleClient(): boolean {
    return performance.now() - this.#otherHeard > longestPause
  }
}
