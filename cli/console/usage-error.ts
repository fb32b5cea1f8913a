/** Something in the way the command was called is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
