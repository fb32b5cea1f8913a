import type { JsonObject } from '../../../lib/json/json.js'
import { enforcedRules } from '../../base/checks.js'
import type { Participant } from '../../participant/participant.js'
import { decodeControlBody, requireKnown, switches } from '../state/control-request.js'
import type { ControlCall } from './call.js'

const shown = ({ without }: Participant): JsonObject => ({
  rules: Object.fromEntries(enforcedRules().map((rule) => [rule, !without.has(rule)])),
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
    const without = new Set(participant.without)
    for (const [name, on] of decodeControlBody(switches, request)) {
      const rule = requireKnown('UNKNOWN_RULE', 'check of a rule', name, enforcedRules())
      if (on) without.delete(rule)
      else without.add(rule)
    }
    participant.without = without
    return shown(participant)
  },
}

export const ruleCalls: readonly ControlCall[] = [readRules, changeRules]
