/** States of simulators, saved over the control plane. */
import type { Test } from 'tap'
import { readStateDocument, type StateDocument } from '../../../simulator/participant/state-document.js'
import { type SimulatorOptions, startSimulator } from '../../../simulator/simulator.js'
import { connectTo } from '../../support/ledgers/simulator-environment.js'
import type { Wire, WireAnswer } from '../../support/servers/wire.js'

export const started = async (t: Test, options: SimulatorOptions = {}): Promise<Wire> =>
  connectTo(t, await startSimulator({ control: true, ...options }))

export const control = (wire: Wire, what: string, body?: string): Promise<WireAnswer> => {
  const [method = '', path = ''] = what.split(' ')
  return wire.send({ method, path: `/control${path}`, ...(body !== undefined && { body }) })
}

export const savedIn = async (wire: Wire): Promise<StateDocument> =>
  readStateDocument((await control(wire, 'GET /state')).text)
