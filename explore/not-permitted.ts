/** What an exploration cannot do without is not permitted to it. */
export class NotPermitted extends Error {
  override readonly name = 'NotPermitted'
}
