/** The exchanges of a run besides those of its rows, from which `verify` derives what the run concluded from them. */
import { operations, supportOperations } from '../../interface/operations.js'
import { type JsonValue, printJson } from '../../lib/json/json.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import type { Evidence, LoggedExchange } from '../../record/types/record.js'
import type { Transport } from './transport.js'

/** Milliseconds. Absent without a measurement. */
export interface MedianTimes {
  read?: number
  commit?: number
}

const commitPaths: ReadonlySet<string> = new Set(
  Object.values({ ...operations, ...supportOperations }).flatMap(({ path, commits }) => (commits ? [path] : [])),
)

interface Open {
  purpose: string
  path: string
  drawn: string[]
  evidence?: Evidence
}

export class ExchangeLog {
  #entries: Open[] = []
  #drawn: string[] = []
  #purpose: string | undefined

  /** Of the exchanges that follow. Undefined: they are not logged, such as those of rows. */
  begin(purpose: string | undefined): void {
    this.#purpose = purpose
  }

  /** A random value, which only the log can repeat: a public key, or a signature. */
  readonly draw = (value: JsonValue): void => {
    if (this.#purpose !== undefined) this.#drawn.push(printJson(value))
  }

  watch(transport: Transport): Transport {
    return {
      send: async (request, label) => {
        if (this.#purpose === undefined) return transport.send(request, label)
        // In the order of the requests, because a run that is derived again sends them in this order.
        const entry: Open = { purpose: this.#purpose, path: request.path, drawn: this.#drawn }
        this.#entries.push(entry)
        this.#drawn = []
        entry.evidence = await transport.send(request, label)
        return entry.evidence
      },
    }
  }

  /** Of the responses so far. Rejected commits count as reads. */
  medianTimes(): MedianTimes {
    const reads: number[] = []
    const commits: number[] = []
    for (const { path, evidence } of this.#entries) {
      if (!evidence?.response) continue
      const isCommit = commitPaths.has(path) && Math.floor(evidence.response.status / 100) === 2
      const times = isCommit ? commits : reads
      times.push(evidence.milliseconds)
    }
    return omitUndefined({ read: medianOf(reads), commit: medianOf(commits) })
  }

  /** Returns the complete exchanges, and empties the log. */
  take(): LoggedExchange[] {
    const taken = this.#entries.flatMap(({ purpose, drawn, evidence }) =>
      evidence ? [{ purpose, evidence: withoutUpload(evidence), ...(drawn.length > 0 && { drawn }) }] : [],
    )
    this.#entries = []
    return taken
  }
}

/** The suite contains the uploaded packages. */
function withoutUpload(evidence: Evidence): Evidence {
  const { body: _, ...request } = evidence.request
  const isUpload = request.headers.some(
    ([name, value]) => name === 'content-type' && value === 'application/octet-stream',
  )
  return isUpload ? { ...evidence, request } : evidence
}

/** The smaller one of two: first responses are slower. */
const medianOf = (times: readonly number[]): number | undefined =>
  times.toSorted((a, b) => a - b)[(times.length - 1) >> 1]
