/** Interrupts runs while they change the vetting. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { type Simulator, startSimulator } from '../../../simulator/simulator.js'
import { commandLine, endOf } from '../processes/conform-process.js'
import { type Hostile, hostileProxy } from '../servers/hostile-proxy.js'
import { connect } from '../servers/wire.js'
import { uploadPackages, uploadUnvetted } from './simulator-environment.js'

interface EndedRun {
  code: number | null
  isAsBefore: boolean
  stdout: string
  stderr: string
}

export interface VettingEnvironment {
  simulator: Simulator
  /**
   * Sends the signal `later` milliseconds after this number of vetting changes; 0: before the answer to the last one.
   */
  endedRun(out: string, signal: NodeJS.Signals, changes: number, later: number): Promise<EndedRun>
  /** Of one row. */
  nextRun(out: string): Promise<EndedRun>
  vetting(): Promise<string>
  close(): Promise<void>
}

/** `only`: a third of the default rows changes the vetting. */
export async function vettingEnvironment(only = 'VET-D*'): Promise<VettingEnvironment> {
  const simulator = await startSimulator()
  const wire = connect(simulator.url)
  await uploadPackages(wire)
  await uploadUnvetted(wire)
  const vetting = async (): Promise<string> => {
    const filter = { packageMetadataFilter: { packageIds: [], packageNamePrefixes: ['conformance'] } }
    const { text } = await wire.post('/v2/package-vetting/list', filter)
    // The order is open.
    return [...text.matchAll(/\{"packageId":"[^}]+\}/g)]
      .map(([entry]) => entry)
      .sort()
      .join('\n')
  }
  const before = await vetting()
  let changes = 0
  let changed: ((changes: number) => void) | undefined
  const proxy = await hostileProxy(simulator.url)
  // Answers after the change, so that a run cannot restore it before the signal.
  const slowly: Hostile = ({ status, headers, body }, response) => {
    void Promise.all([vetting(), delay(20)]).then(([now]) => {
      if (now !== before) {
        changes += 1
        changed?.(changes)
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
  const end = async (child: ChildProcess): Promise<EndedRun> => ({
    ...(await endOf(child)),
    isAsBefore: (await vetting()) === before,
  })
  return {
    simulator,
    vetting,
    endedRun: (out, signal, wanted, later) => {
      const child = start(out, only)
      changes = 0
      changed = (count) => {
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
