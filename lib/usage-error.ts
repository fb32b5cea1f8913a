/** The caller can fix the cause. The message names what is wrong, and what to do. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}
