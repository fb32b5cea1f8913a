/** There is no such operation to have conversations about. */
export class UnknownOperation extends Error {
  override readonly name = 'UnknownOperation'
}
