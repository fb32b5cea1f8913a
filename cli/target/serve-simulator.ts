/** The simulator that a command starts for itself, seen from where it runs. */

import type { DeclaredFacts } from '../../runner/target/declared-facts.js'
import { behaviourOf, type SwitchPoint, switchPointNames } from '../../simulator/base/behaviour.js'
import { createParticipant, type SimulatorOptions, serve } from '../../simulator/simulator.js'
import { holdClaims } from './embedded-claims.js'

export type EmbeddedOptions = Pick<
  SimulatorOptions,
  'behaviour' | 'protocolVersion' | 'synchronizers' | 'authorization'
> & {
  /** It is to hold what no run could make. */
  claims?: true
}

export interface ServedSimulator {
  url: string
  /** None unless asked for. */
  claims: DeclaredFacts
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
  return { url, claims: options.claims ? await holdClaims(url, participant) : new Map(), turn }
}
