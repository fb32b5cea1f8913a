import { requireKnownOptions, requireKnownValue } from './implementation/known-options.js'
import { ConformanceError } from './types/conformance-error.js'
import type { Simulator, SimulatorOptions } from './types/simulator.js'

const known = ['port', 'behaviour', 'authorization', 'protocolVersion', 'synchronizers', 'seed', 'state']

/**
 * Starts a simulated participant. Rejects with `ConformanceError`: `INVALID_OPTION`, `INVALID_STATE`, `PORT_UNUSABLE`.
 * Nothing of the suite is loaded, so that this takes a fraction of a second.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  requireKnownOptions(options, known)
  const { behaviour = 'canton-3.5', protocolVersion = 35, synchronizers = 1 } = options
  requireKnownValue('behaviour', behaviour, ['canton-3.5', 'interface'])
  requireKnownValue('protocolVersion', protocolVersion, [34, 35])
  if (!Number.isInteger(synchronizers) || synchronizers < 0 || synchronizers > 100) {
    throw new ConformanceError('INVALID_OPTION', `synchronizers: ${synchronizers} is no whole number from 0 to 100`)
  }
  const { openSimulator } = await import('./implementation/open-simulator.js')
  return openSimulator(options)
}
