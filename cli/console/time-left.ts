/** Estimates the remaining time of a run, for each operation separately. */
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import type { RowsAhead } from '../../runner/run/run.js'

/** Weight of a measurement relative to the next one. */
const decay = 0.995

/** `done` and `took` are decayed sums of rows and milliseconds. */
interface Kind {
  left: number
  done: number
  took: number
}

interface RowGroup {
  kinds: Map<string, Kind>
  /** Milliseconds since 1970. */
  end: number | undefined
  /** Decayed sums of milliseconds: elapsed time, and durations of rows that ended in it. */
  passed: number
  took: number
}

export class TimeLeft {
  readonly #concurrent: RowGroup
  readonly #alone: RowGroup
  readonly #ahead: Map<string, [RowGroup, Kind]>

  constructor({ rows, alone }: RowsAhead) {
    this.#concurrent = emptyGroup()
    this.#alone = emptyGroup()
    this.#ahead = new Map([
      ...rows.map((row) => placeIn(this.#concurrent, row)),
      ...alone.map((row) => placeIn(this.#alone, row)),
    ])
  }

  /**
   * Called when a row was sent: rows with a late-effects check are judged seconds later than others. A row without
   * evidence was not sent.
   */
  row({ id, evidence }: { id: string; evidence: readonly Evidence[] }): void {
    const found = this.#ahead.get(id)
    if (!found) return
    this.#ahead.delete(id)
    const [group, kind] = found
    kind.left -= 1
    if (evidence.length === 0) return
    const begun = Math.min(...evidence.map(({ startedAt }) => Date.parse(startedAt)))
    const end = Math.max(...evidence.map(({ startedAt, milliseconds }) => Date.parse(startedAt) + milliseconds))
    // While a concurrent row waits, other rows are sent.
    const exchanged = evidence.reduce((sum, one) => sum + one.milliseconds, 0)
    const took = group === this.#alone ? end - begun : exchanged
    kind.done = kind.done * decay + 1
    kind.took = kind.took * decay + took
    const known = group.end ?? begun
    group.end = Math.max(known, end)
    group.passed = group.passed * decay + group.end - known
    group.took = group.took * decay + took
  }

  seconds(): number | undefined {
    if (this.#concurrent.took + this.#alone.took === 0) return undefined
    return (this.#leftOf(this.#concurrent) + this.#leftOf(this.#alone)) / 1000
  }

  #leftOf(group: RowGroup): number {
    // Elapsed time per millisecond of rows; below 1 if rows run concurrently.
    const { passed, took } = group.took > 0 ? group : this.#other(group)
    const share = took > 0 ? passed / took : 1
    const all = [...group.kinds].map(([name, kind]) => kind.left * this.#mean(name, kind, group))
    return share * all.reduce((sum, one) => sum + one, 0)
  }

  #mean(name: string, kind: Kind, group: RowGroup): number {
    if (kind.done > 0) return kind.took / kind.done
    const same = this.#other(group).kinds.get(name)
    if (same && same.done > 0) return same.took / same.done
    const known = [this.#concurrent, this.#alone].flatMap(({ kinds }) => [...kinds.values()])
    const done = known.reduce((sum, one) => sum + one.done, 0)
    return done === 0 ? 0 : known.reduce((sum, one) => sum + one.took, 0) / done
  }

  #other(group: RowGroup): RowGroup {
    return group === this.#alone ? this.#concurrent : this.#alone
  }
}

const emptyGroup = (): RowGroup => ({ kinds: new Map(), end: undefined, passed: 0, took: 0 })

function placeIn(group: RowGroup, row: ResolvedRow): [id: string, place: [RowGroup, Kind]] {
  const name = kindOf(row)
  const kind = group.kinds.get(name) ?? { left: 0, done: 0, took: 0 }
  group.kinds.set(name, kind)
  kind.left += 1
  return [row.id, [group, kind]]
}

const kindOf = ({ operation, steps }: ResolvedRow): string => {
  const waits = steps.some(({ later, eventually }) => later !== undefined || eventually !== undefined)
  return `${operation}${waits ? ', waiting' : ''}`
}
