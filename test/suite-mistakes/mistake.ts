/** Replaces the first text by the second, in a file of the tiny suite; no first text: the file becomes the second. */
export type Change = [file: string, from: string | undefined, to: string | undefined]

/** What is changed in the tiny suite, and all findings that this must give: `file:line:column: message | hint`. */
export type Mistake = [what: string, changes: Change[], findings: string[]]
