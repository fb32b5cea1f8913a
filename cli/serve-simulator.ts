/** The simulator that a command starts for itself, seen from where it runs. */
import { behaviourOf, type SwitchPoint, switchPointNames } from '../simulator/base/behaviour.js'
import { createParticipant, type SimulatorOptions, serve } from '../simulator/simulator.js'

export type EmbeddedOptions = Pick<
  SimulatorOptions,
  'behaviour' | 'protocolVersion' | 'synchronizers' | 'authorization'
>

export interface ServedSimulator {
  url: string
  /** Turns each of the switch points to what it is not now. */
  turn(points: readonly SwitchPoint[]): void
}

/** Rejects with what keeps it from starting. */
export async function serveSimulator(options: EmbeddedOptions): Promise<ServedSimulator> {
  const participant = await createParticipant(options)
  const { name } = participant.behaviour
  const { url } = await serve(participant)
  const turn = (names: readonly SwitchPoint[]): void => {
    const { behaviour } = participant
    const points = switchPointNames.map((point): [SwitchPoint, boolean] => [
      point,
      behaviour.has(point) !== names.includes(point),
    ])
    participant.behaviour = behaviourOf(name, new Map(points))
  }
  return { url, turn }
}
