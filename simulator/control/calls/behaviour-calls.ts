/** Which participant is imitated, and where it is not. */
import type { JsonObject } from '../../../lib/json/json.js'
import {
  type BehaviourName,
  behaviourNames,
  behaviourOf,
  type SwitchPoint,
  switchPointNames,
} from '../../base/behaviour.js'
import { absentable, text } from '../../json/decode.js'
import type { Participant } from '../../participant/participant.js'
import { requireKnown } from '../state/control-error.js'
import { decodeControlBody, exactly, switches } from '../state/control-request.js'
import type { ControlCall } from './call.js'

const shown = ({ behaviour }: Participant): JsonObject => ({
  name: behaviour.name,
  switchPoints: Object.fromEntries(switchPointNames.map((point) => [point, behaviour.has(point)])),
})

const changes = exactly({ name: absentable(text), switchPoints: absentable(switches) })

export const readBehaviour: ControlCall = {
  method: 'get',
  path: '/behaviour',
  title: 'returns the behaviour and its switch points',
  handle: ({ participant }) => shown(participant),
}

export const changeBehaviour: ControlCall = {
  method: 'patch',
  path: '/behaviour',
  title: 'sets the behaviour `name`, and switches single `switchPoints` on or off',
  handle: ({ participant }, request) => {
    const wanted = decodeControlBody(changes, request)
    const name: BehaviourName =
      wanted.name === undefined
        ? participant.behaviour.name
        : requireKnown('UNKNOWN_BEHAVIOUR', 'behaviour', wanted.name, behaviourNames)
    const before = wanted.name === undefined ? participant.behaviour : behaviourOf(name)
    const points = new Map<SwitchPoint, boolean>(switchPointNames.map((point) => [point, before.has(point)]))
    for (const [point, on] of wanted.switchPoints ?? []) {
      points.set(requireKnown('UNKNOWN_SWITCH_POINT', 'switch point', point, switchPointNames), on)
    }
    participant.behaviour = behaviourOf(name, points)
    return shown(participant)
  },
}
