import type { JsonObject } from '../../../lib/json/json.js'
import {
  type BehaviourName,
  behaviourNames,
  behaviourOf,
  type SwitchPoint,
  switchPointNames,
} from '../../base/behaviour.js'
import { enforceAllBut, enforcedRules } from '../../base/checks.js'
import { absentable, text } from '../../json/decode.js'
import type { Participant } from '../../participant/participant.js'
import { decodeControlBody, exactly, requireKnown, switches } from '../state/control-request.js'
import type { ControlCall } from './call.js'

const behaviourView = ({ behaviour }: Participant): JsonObject => ({
  name: behaviour.name,
  switchPoints: Object.fromEntries(switchPointNames.map((point) => [point, behaviour.has(point)])),
})

const changes = exactly({ name: absentable(text), switchPoints: absentable(switches) })

const readBehaviour: ControlCall = {
  method: 'get',
  path: '/behaviour',
  title: 'returns the behaviour and its switch points',
  handle: ({ participant }) => behaviourView(participant),
}

const changeBehaviour: ControlCall = {
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

const shown = ({ enforcement }: Participant): JsonObject => ({
  rules: Object.fromEntries(enforcedRules().map((rule) => [rule, !enforcement.without.has(rule)])),
})

export const readRules: ControlCall = {
  method: 'get',
  path: '/rules',
  title: 'lists the rules with their own check, and whether the check is active',
  handle: ({ participant }) => shown(participant),
}

export const changeRules: ControlCall = {
  method: 'patch',
  path: '/rules',
  title: 'activates the checks of the named rules (true) or skips them (false)',
  handle: ({ participant }, request) => {
    const without = new Set(participant.enforcement.without)
    for (const [name, on] of decodeControlBody(switches, request)) {
      const rule = requireKnown('UNKNOWN_RULE', 'check of a rule', name, enforcedRules())
      if (on) without.delete(rule)
      else without.add(rule)
    }
    participant.enforcement = enforceAllBut(without)
    return shown(participant)
  },
}

export const behaviourCalls: readonly ControlCall[] = [readBehaviour, changeBehaviour, readRules, changeRules]
