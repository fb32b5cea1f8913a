/** A running simulator that holds the packages of the model. */
import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { conformanceModel } from '../model/conformance-model.js'
import { conformanceModelKeys } from '../model/conformance-model-keys.js'
import type { SimulatorOptions } from '../simulator/simulator.js'
import { type SimulatorWorld, simulatorWorld } from './simulator-world.js'

export async function modelWorld(t: Test, options: SimulatorOptions = {}): Promise<SimulatorWorld> {
  const world = await simulatorWorld(t, options)
  // Protocol version 34 knows no contract keys.
  const wanted = options.protocolVersion === 34 ? [conformanceModel] : [conformanceModel, conformanceModelKeys]
  for (const { name, version } of wanted) {
    const dar = new URL(`../../model/packages/${name}-${version}.dar`, import.meta.url)
    const { status, text } = await world.wire.send({ path: '/v2/dars', body: readFileSync(dar) })
    if (status !== 200) throw new Error(`${name} was not taken: ${status} ${text}`)
  }
  return world
}
