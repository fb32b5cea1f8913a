import { operations, supportOperations } from '../../interface/operations.js'
import type { Evidence } from '../../record/types/record.js'
import type { BuiltRequest } from './build-request.js'

/** Milliseconds. Absent without a measurement. */
export interface MedianTimes {
  read?: number
  commit?: number
}

const commitPaths: ReadonlySet<string> = new Set(
  Object.values({ ...operations, ...supportOperations }).flatMap(({ path, commits }) => (commits ? [path] : [])),
)

/** Measurements of each kind. Later ones change the median little. */
const most = 200

export class ResponseTimes {
  readonly #reads: number[] = []
  readonly #commits: number[] = []

  /** Rejected commits count as reads. */
  add({ path }: BuiltRequest, { response, milliseconds }: Evidence): void {
    if (!response) return
    const isCommit = commitPaths.has(path) && response.status >= 200 && response.status < 300
    const times = isCommit ? this.#commits : this.#reads
    if (times.length < most) times.push(milliseconds)
  }

  medians(): MedianTimes {
    const [read, commit] = [medianOf(this.#reads), medianOf(this.#commits)]
    return { ...(read !== undefined && { read }), ...(commit !== undefined && { commit }) }
  }
}

/** The smaller one of two: first responses are slower. */
const medianOf = (times: readonly number[]): number | undefined =>
  times.toSorted((a, b) => a - b)[(times.length - 1) >> 1]
