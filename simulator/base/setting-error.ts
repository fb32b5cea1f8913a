/** `option` is a name in `SimulatorOptions`. The message contains no secret. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
  readonly option: string
  readonly problem: string

  constructor(option: string, problem: string) {
    super(`${option}: ${problem}`)
    this.option = option
    this.problem = problem
  }
}
