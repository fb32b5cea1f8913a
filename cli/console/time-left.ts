/** How long the rest of a run takes, learnt from the rows that it has sent: reads, submissions, executions and waits each take their own time. */
import type { RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import type { RowsAhead } from '../../runner/run/run.js'

/** How much of what was measured still counts when one more row is: a target warms up, and so do we. */
const memory = 0.995

/** Rows of one kind: how many are left, and what those took of late that are done, in milliseconds. */
interface Kind {
  left: number
  done: number
  took: number
}

/** Rows that are sent beside each other, or one at a time. */
interface Lane {
  kinds: Map<string, Kind>
  /** When its last row ended, in milliseconds since 1970. */
  end: number | undefined
  /** Milliseconds by which that went on of late, and what the rows took that ended meanwhile. */
  passed: number
  took: number
}

export class TimeLeft {
  readonly #together: Lane
  readonly #alone: Lane
  readonly #ahead: Map<string, [Lane, Kind]>

  constructor({ rows, alone }: RowsAhead) {
    this.#together = emptyLane()
    this.#alone = emptyLane()
    this.#ahead = new Map([
      ...rows.map((row) => placeIn(this.#together, row)),
      ...alone.map((row) => placeIn(this.#alone, row)),
    ])
  }

  /** A row has ended; one that was not sent after all is only left out. */
  row({ id, evidence, startedAt, milliseconds }: Pick<RunRow, 'id' | 'evidence' | 'startedAt' | 'milliseconds'>): void {
    const found = this.#ahead.get(id)
    if (!found) return
    this.#ahead.delete(id)
    const [lane, kind] = found
    kind.left -= 1
    if (evidence.length === 0) return
    // While a row waits, others are sent; but none where it is alone.
    const exchanged = evidence.reduce((sum, one) => sum + one.milliseconds, 0)
    const took = lane === this.#alone ? milliseconds : exchanged
    kind.done = kind.done * memory + 1
    kind.took = kind.took * memory + took
    const begun = Date.parse(startedAt)
    const end = Math.max(lane.end ?? 0, begun + milliseconds)
    lane.passed = lane.passed * memory + end - (lane.end ?? begun)
    lane.took = lane.took * memory + took
    lane.end = end
  }

  /** Undefined where nothing is known yet. */
  seconds(): number | undefined {
    if (this.#together.took + this.#alone.took === 0) return undefined
    return (this.#leftOf(this.#together) + this.#leftOf(this.#alone)) / 1000
  }

  #leftOf(lane: Lane): number {
    // How much of what rows take passes at the same time. What takes eight at once eight times as long is fast alone.
    const { passed, took } = lane.took > 0 ? lane : this.#other(lane)
    const share = took > 0 ? passed / took : 1
    const all = [...lane.kinds].map(([name, kind]) => kind.left * this.#mean(name, kind, lane))
    return share * all.reduce((sum, one) => sum + one, 0)
  }

  /** Of the kind, of its like in the other lane, or of all. */
  #mean(name: string, kind: Kind, lane: Lane): number {
    if (kind.done > 0) return kind.took / kind.done
    const like = this.#other(lane).kinds.get(name)
    if (like && like.done > 0) return like.took / like.done
    const known = [this.#together, this.#alone].flatMap(({ kinds }) => [...kinds.values()])
    const done = known.reduce((sum, one) => sum + one.done, 0)
    return done === 0 ? 0 : known.reduce((sum, one) => sum + one.took, 0) / done
  }

  #other(lane: Lane): Lane {
    return lane === this.#alone ? this.#together : this.#alone
  }
}

const emptyLane = (): Lane => ({ kinds: new Map(), end: undefined, passed: 0, took: 0 })

function placeIn(lane: Lane, row: ResolvedRow): [id: string, place: [Lane, Kind]] {
  const name = kindOf(row)
  const kind = lane.kinds.get(name) ?? { left: 0, done: 0, took: 0 }
  lane.kinds.set(name, kind)
  kind.left += 1
  return [row.id, [lane, kind]]
}

/** What a row sends tells how long it takes, and whether something has to come about. */
const kindOf = ({ operation, steps }: ResolvedRow): string => {
  const waits = steps.some(({ later, eventually }) => later !== undefined || eventually !== undefined)
  return `${operation}${waits ? ', waiting' : ''}`
}
