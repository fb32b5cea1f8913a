/** The seed that every id follows from. */
import { required, text } from '../json/decode.js'
import type { ControlCall } from './call.js'
import type { Control } from './control.js'
import { decodeControlBody, exactly } from './control-request.js'

const shown = ({ participant: { entropy } }: Control) => ({ seed: entropy.state.seed, drawn: entropy.state.counter })

export const readSeed: ControlCall = {
  method: 'get',
  path: '/seed',
  title: 'returns the seed and the number of drawn blocks',
  handle: shown,
}

export const changeSeed: ControlCall = {
  method: 'put',
  path: '/seed',
  title: 'derives all further ids from another `seed`',
  handle: (control, request) => {
    control.participant.entropy.state.seed = decodeControlBody(exactly({ seed: required(text) }), request).seed
    return shown(control)
  },
}
