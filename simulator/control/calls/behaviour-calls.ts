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

const behaviourView = ({ behaviour }: Participant): JsonObject => ({
  name: behaviour.name,
  switchPoints: Object.fromEntries(switchPointNames.map((point) => [point, behaviour.has(point)])),
})

const changes = exactly({ name: absentable(text), switchPoints: absentable(switches) })

export const readBehaviour: ControlCall = {
  method: 'get',
  path: '/behaviour',
  title: 'returns the behaviour and its switch points',
  handle: ({ participant }) => behaviourView(participant),
}

export const changeBehaviour: ControlCall = {
  method: 'patch',
  path: '/behaviour',
  title: 'sets the behaviour `name`, and switches single `switchPoints` on or off',
  handle: ({ participant }, request) => {
    const requested = decodeControlBody(changes, request)
    const name: BehaviourName =
      requested.name === undefined
        ? participant.behaviour.name
        : requireKnown('UNKNOWN_BEHAVIOUR', 'behaviour', requested.name, behaviourNames)
    const before = requested.name === undefined ? participant.behaviour : behaviourOf(name)
    const points = new Map<SwitchPoint, boolean>(switchPointNames.map((point) => [point, before.has(point)]))
    for (const [point, isOn] of requested.switchPoints ?? []) {
      points.set(requireKnown('UNKNOWN_SWITCH_POINT', 'switch point', point, switchPointNames), isOn)
    }
    participant.behaviour = behaviourOf(name, points)
    return behaviourView(participant)
  },
}
