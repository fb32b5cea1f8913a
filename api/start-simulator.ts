import { isUint8Array } from 'node:util/types'
import {
  checkArray,
  checkInteger,
  checkObject,
  checkOneOf,
  checkSecret,
  checkString,
  checkValue,
} from './implementation/check-options.js'
import type { Simulator, SimulatorOptions } from './types/simulator.js'

const strings = checkArray(checkString)
const dar = checkObject({ name: checkString, bytes: checkValue('a Uint8Array', isUint8Array) }, ['name', 'bytes'])
const rights = checkOneOf('ParticipantAdmin', 'IdentityProviderAdmin', 'CanReadAsAnyParty', 'CanExecuteAsAnyParty')
const parties = { primaryParty: checkString, actAs: strings, readAs: strings, executeAs: strings }

const checks: Record<keyof SimulatorOptions, ReturnType<typeof checkArray>> = {
  port: checkInteger(0, 65_535),
  allowHosts: strings,
  allowOrigins: strings,
  behaviour: checkOneOf('canton-3.4', 'canton-3.5', 'canton-3.6', 'interface'),
  authorization: checkSecret,
  maxTokenLifetime: checkInteger(1, 999_999_999),
  protocolVersion: checkOneOf(34, 35),
  synchronizers: checkInteger(0, 100),
  seed: checkString,
  state: checkString,
  packages: checkArray((file, where) => (typeof file === 'object' ? dar : checkString)(file, where)),
  parties: strings,
  users: checkArray(checkObject({ id: checkString, ...parties, rights: checkArray(rights) }, ['id'])),
}

/**
 * Starts a simulated participant. Rejects with `ConformanceError`: `INVALID_OPTION`, `INVALID_STATE` or
 * `PORT_UNUSABLE`; then no server listens.
 * @example
 * await using simulator = await startSimulator({ parties: ['alice'], seed: 'orders' })
 * simulator.parties.alice // 'alice::1220…', the party id
 * await fetch(`${simulator.url}/v2/version`) // status 200
 */
export async function startSimulator<Party extends string = never>(
  options: SimulatorOptions<Party> = {},
): Promise<Simulator<Party>> {
  checkObject(checks)(options, 'options')
  const { openSimulator } = await import('./implementation/open-simulator.js')
  return openSimulator(options)
}
