import { lastMicro, printInstant } from '../../../lib/json/instant.js'
import { JsonNumber, type JsonObject } from '../../../lib/json/json.js'
import { type Decoder, required } from '../../json/decode.js'
import { instant } from '../../json/times.js'
import type { AdjustableClock } from '../../ledger/state/clock.js'
import { ControlError, decodeControlBody, exactly } from '../state/control-request.js'
import type { ControlCall } from './call.js'

const shown = (clock: AdjustableClock): JsonObject => ({ now: printInstant(clock.now()), frozen: clock.isFrozen })

/** Seconds as JSON number; returns microseconds. */
const duration: Decoder<bigint> = (value, path, problems) => {
  const text = value instanceof JsonNumber ? value.text : typeof value === 'number' ? String(value) : ''
  const found = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text)
  if (found) return BigInt(`${found[1]}${(found[2] ?? '').padEnd(6, '0')}`)
  problems.add('expected a non-negative number of seconds with up to six decimals', path)
  return undefined
}

function advance(clock: AdjustableClock, micros: bigint): void {
  if (clock.now() + micros > lastMicro) {
    throw new ControlError('TIME_OUT_OF_RANGE', `the latest possible ledger time is ${printInstant(lastMicro)}`)
  }
  clock.advance(micros)
}

export const readClock: ControlCall = {
  method: 'get',
  path: '/clock',
  title: 'returns the ledger time',
  handle: ({ participant: { clock } }) => shown(clock),
}

export const freezeClock: ControlCall = {
  method: 'post',
  path: '/clock/freeze',
  title: 'stops the clock; `advance` and `set` still work',
  handle: ({ participant: { clock } }) => {
    clock.freeze()
    return shown(clock)
  },
}

export const unfreezeClock: ControlCall = {
  method: 'post',
  path: '/clock/unfreeze',
  title: 'starts the clock again from its present time',
  handle: ({ participant: { clock } }) => {
    clock.unfreeze()
    return shown(clock)
  },
}

export const advanceClock: ControlCall = {
  method: 'post',
  path: '/clock/advance',
  title: 'advances the clock by `seconds`',
  handle: ({ participant: { clock } }, request) => {
    advance(clock, decodeControlBody(exactly({ seconds: required(duration) }), request).seconds)
    return shown(clock)
  },
}

export const setClock: ControlCall = {
  method: 'post',
  path: '/clock/set',
  title: 'advances the clock to the time `now`',
  handle: ({ participant: { clock } }, request) => {
    const { now: wanted } = decodeControlBody(exactly({ now: required(instant) }), request)
    const now = clock.now()
    if (wanted < now) {
      const problem = `the ledger time never goes back, and it is ${printInstant(now)}`
      throw new ControlError(
        'TIME_OUT_OF_RANGE',
        `${problem}; a reset or an earlier snapshot starts from an earlier time`,
      )
    }
    advance(clock, wanted - now)
    return shown(clock)
  },
}

export const clockCalls: readonly ControlCall[] = [readClock, freezeClock, unfreezeClock, advanceClock, setClock]
