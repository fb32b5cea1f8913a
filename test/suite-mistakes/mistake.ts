/** Replaces `from` by `to` in a file of the tiny suite; without `from`, `to` is the whole file. */
export type Change = [file: string, from: string | undefined, to: string | undefined]

/** Changes of the tiny suite, and all their findings: `file:line:column: message | hint`. */
export type Mistake = [what: string, changes: Change[], findings: string[]]
