import type { Test } from 'tap'
import type { SimulatorOptions } from '../../../simulator/simulator.js'
import { readPackage } from './model-packages.js'
import { type SimulatorEnvironment, simulatorEnvironment } from './simulator-environment.js'

export async function modelEnvironment(t: Test, options: SimulatorOptions = {}): Promise<SimulatorEnvironment> {
  const environment = await simulatorEnvironment(t, options)
  // Protocol version 34 has no contract keys.
  const wanted =
    options.protocolVersion === 34 ? ['conformance-model'] : ['conformance-model', 'conformance-model-keys']
  for (const name of wanted) {
    const { status, text } = await environment.wire.send({ path: '/v2/dars', body: readPackage(`${name}-1.0.0.dar`) })
    if (status !== 200) throw new Error(`upload of ${name}: ${status} ${text}`)
  }
  return environment
}
