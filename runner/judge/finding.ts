/** What a check found, in readable texts. */
export interface Finding {
  /** What was looked at: `status`, `header content-type`, or `body` with a JSON pointer. */
  subject: string
  pointer?: string
  expected: string
  actual: string
  met: boolean
}
