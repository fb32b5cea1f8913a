/** A command was called with an invalid option, argument or setting. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
