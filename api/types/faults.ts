/** What happens to calls on their way through the network. `at` is `request` unless given: the operation does not run, or later. */
export type Fault = {
  /** A name (`submit-and-wait`), a path (`/v2/users/{user}`), or method and path; every operation unless given. */
  operation?: string
  /** Only calls whose body has these values, by the JSON pointers that lead to them: `{ '/commandId': 'c-1' }`. */
  match?: Readonly<Record<string, unknown>>
  /** Every nth call, counted from now; not together with `next`. Neither: every call. */
  every?: number
  /** The next n calls. */
  next?: number
} & (
  | { kind: 'delay'; milliseconds: number; at?: 'request' | 'answer' }
  /** Another answer: an error status from 400 to 599, with the usual words unless there is a `body` (text, or what becomes JSON). */
  | {
      kind: 'status'
      status: number
      body?: unknown
      /** Such as `{ 'retry-after': 1 }`. */
      headers?: Readonly<Record<string, string | number>>
      at?: 'request' | 'answer'
    }
  /** The connection is reset. */
  | { kind: 'reset'; at?: 'request' | 'answer' }
  /** The connection ends within the body of the answer, after so many bytes or after half. */
  | { kind: 'truncate'; bytes?: number }
  /** The body of the answer has its length, but is no JSON and no UTF-8. */
  | { kind: 'garbage' }
)

/** A fault that is set. */
export type SetFault = Fault & {
  id: string
  /** Calls that it is set for, and of these the ones that it was injected into. */
  calls: number
  injected: number
}
