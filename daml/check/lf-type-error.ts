/** A definition that is not well typed; the message says what is wrong, and from the module on also where. */
export class LfTypeError extends Error {
  override readonly name = 'LfTypeError'
}

export function wrong(problem: string): never {
  throw new LfTypeError(problem)
}
