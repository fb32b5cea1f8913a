import { isUint8Array } from 'node:util/types'
import { listOf, members, oneOf, secretText, text, that, wholeNumber } from './implementation/known-options.js'
import type { Simulator, SimulatorOptions } from './types/simulator.js'

const texts = listOf(text)
const dar = members({ name: text, bytes: that('a Uint8Array', isUint8Array) }, ['name', 'bytes'])
const generalRights = ['ParticipantAdmin', 'IdentityProviderAdmin', 'CanReadAsAnyParty', 'CanExecuteAsAnyParty']
const user = { id: text, primaryParty: text, actAs: texts, readAs: texts, executeAs: texts }

const known: Record<keyof SimulatorOptions, ReturnType<typeof listOf>> = {
  port: wholeNumber(0, 65_535),
  allowHosts: texts,
  allowOrigins: texts,
  behaviour: oneOf('canton-3.5', 'interface'),
  authorization: secretText,
  maxTokenLifetime: wholeNumber(1, 999_999_999),
  protocolVersion: oneOf(34, 35),
  synchronizers: wholeNumber(0, 100),
  seed: text,
  state: text,
  packages: listOf((file, where) => (typeof file === 'object' ? dar : text)(file, where)),
  parties: texts,
  users: listOf(members({ ...user, rights: listOf(oneOf(...generalRights)) }, ['id'])),
}

/**
 * Starts a simulated participant. Rejects with `ConformanceError`: `INVALID_OPTION`, `INVALID_STATE`, `PORT_UNUSABLE`; then nothing
 * listens, and nothing keeps the process running. Nothing of the suite is loaded, so that this takes a fraction of a second.
 */
export async function startSimulator<Party extends string = never>(
  options: SimulatorOptions<Party> = {},
): Promise<Simulator<Party>> {
  members(known)(options, 'options')
  const { openSimulator } = await import('./implementation/open-simulator.js')
  return openSimulator(options)
}
