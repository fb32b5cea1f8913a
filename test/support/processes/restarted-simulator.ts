/** A simulator process that starts again at its port. */
import { type RunningSimulator, simulate } from './conform-process.js'

export interface RestartedSimulator {
  url: string
  /** Ends the process, and starts it again. */
  restart(signal: NodeJS.Signals): Promise<void>
  stop(): Promise<void>
}

/** Without a file the simulator starts empty, as another participant. */
export async function restartable(file?: string): Promise<RestartedSimulator> {
  const options = file === undefined ? [] : ['--data', file, '--save']
  let running: RunningSimulator = await simulate(...options)
  const { port } = new URL(running.url)
  return {
    url: running.url,
    restart: async (signal) => {
      running.signal(signal)
      await running.stop()
      running = await simulate('--port', port, ...options)
    },
    stop: async () => {
      await running.stop()
    },
  }
}
