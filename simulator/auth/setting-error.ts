/** An authorization setting that cannot be understood or whose key cannot be read. Its message never holds a secret. */
export class AuthorizationSettingError extends Error {
  override readonly name = 'AuthorizationSettingError'

  constructor(problem: string) {
    super(`authorization: ${problem}`)
  }
}
