/** Milliseconds after which whoever was heard of last does nothing together with others any more. */
const longestPause = 1_000

/** Who calls a participant: whether somebody is alone with it. */
export class ConnectionActivity {
  #latest: object | undefined
  #heard = Number.NEGATIVE_INFINITY
  /** When another connection than the latest was heard of. */
  #otherHeard = Number.NEGATIVE_INFINITY

  /** The connection was opened, or a request came over it. */
  heard(connection: object): void {
    if (connection !== this.#latest) {
      this.#latest = connection
      this.#otherHeard = this.#heard
    }
    this.#heard = performance.now()
  }

  /** Whether everything has come over one connection for a while. */
  get hasSingleClient(): boolean {
    return performance.now() - this.#otherHeard > longestPause
  }
}
