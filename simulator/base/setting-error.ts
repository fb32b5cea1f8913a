/** An option of the simulator that cannot be used. `option` is its name in `SimulatorOptions`. The message holds no secret. */
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
