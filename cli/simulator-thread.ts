/** The thread of a simulator that a command starts for itself: says its URL, and then turns those switch points that it is told. */
import { parentPort, workerData } from 'node:worker_threads'
import { behaviourOf, type SwitchPoint, switchPointNames } from '../simulator/base/behaviour.js'
import { createParticipant, type SimulatorOptions, serve } from '../simulator/simulator.js'

export type EmbeddedOptions = Pick<
  SimulatorOptions,
  'behaviour' | 'protocolVersion' | 'synchronizers' | 'authorization'
>

const port = parentPort
if (!port) throw new Error('this file is the beginning of a thread, and of nothing else')

const participant = await createParticipant(workerData as EmbeddedOptions) // what `embedded-simulator.ts` gives
const { name } = participant.behaviour
const { url } = await serve(participant)

port.on('message', (names: readonly SwitchPoint[]) => {
  const { behaviour } = participant
  const points = switchPointNames.map((point): [SwitchPoint, boolean] => [
    point,
    behaviour.has(point) !== names.includes(point),
  ])
  participant.behaviour = behaviourOf(name, new Map(points))
  port.postMessage('turned')
})
port.postMessage(url)
