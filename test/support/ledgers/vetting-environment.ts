/** A simulator with the packages of the model, and runs against it that are ended while they change what is vetted. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type Simulator, startSimulator } from '../../../simulator/simulator.js'
import { commandLine } from '../processes/conform-process.js'
import { type Hostile, hostileProxy } from '../servers/hostile-proxy.js'
import { connect } from '../servers/wire.js'
import { uploadPackages, uploadUnvetted } from './simulator-environment.js'

interface Ran {
  code: number | null
  isAsBefore: boolean
  stdout: string
  stderr: string
}

export interface VettingEnvironment {
  simulator: Simulator
  /** A run that gets the signal so many milliseconds after what is vetted was changed for that many times; 0: before the change is answered. */
  endedRun(out: string, signal: NodeJS.Signals, changes: number, later: number): Promise<Ran>
  /** One row, so that a run begins and ends. */
  nextRun(out: string): Promise<Ran>
  /** What is vetted, as text. */
  vetting(): Promise<string>
  close(): Promise<void>
}

/** `only`: the rows of runs that are ended; the usual ones are few, and a third of them changes what is vetted. */
export async function vettingEnvironment(only = 'VET-D*'): Promise<VettingEnvironment> {
  const simulator = await startSimulator()
  const wire = connect(simulator.url)
  await uploadPackages(wire)
  await uploadUnvetted(wire)
  const vetting = async (): Promise<string> => {
    const filter = { packageMetadataFilter: { packageIds: [], packageNamePrefixes: ['conformance'] } }
    const { text } = await wire.post('/v2/package-vetting/list', filter)
    // In whatever order.
    return [...text.matchAll(/\{"packageId":"[^}]+\}/g)]
      .map(([entry]) => entry)
      .sort()
      .join('\n')
  }
  const before = await vetting()
  let changes = 0
  let heard: ((changes: number) => void) | undefined
  const proxy = await hostileProxy(simulator.url)
  // Slow enough to be ended in between.
  // Answered once the change was seen: however busy the machine is, a run that gets a signal at once has not put it back.
  const slowly: Hostile = ({ status, headers, body }, response) => {
    void Promise.all([vetting(), delay(20)]).then(([now]) => {
      if (now !== before) {
        changes += 1
        heard?.(changes)
      }
      response.writeHead(status, headers).end(body)
    })
  }
  proxy.answerBy({ path: '/v2/package-vetting/update', answer: slowly })
  const start = (out: string, pattern: string): ChildProcess =>
    spawn(process.execPath, [...commandLine, 'run', '--target', proxy.url, '--only', pattern, '--out', out], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    })
  const end = async (child: ChildProcess): Promise<Ran> => {
    const told = { stdout: '', stderr: '' }
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      told.stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      told.stderr += text
    })
    const [code] = (await once(child, 'close')) as [number | null] // the arguments of the event
    return { code, isAsBefore: (await vetting()) === before, ...told }
  }
  return {
    simulator,
    vetting,
    endedRun: (out, signal, wanted, later) => {
      const child = start(out, only)
      changes = 0
      heard = (count) => {
        if (count !== wanted) return
        if (later === 0) child.kill(signal)
        else setTimeout(() => child.kill(signal), later)
      }
      return end(child)
    },
    nextRun: (out) => end(start(out, 'VET-NAMES/of-one-version')),
    close: async () => {
      await wire.close()
      await proxy.close()
      await simulator.close()
    },
  }
}
