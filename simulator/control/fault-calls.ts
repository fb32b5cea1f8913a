/** Setting, listing and clearing faults. */
import type { ControlCall } from './call.js'
import { decodeFault } from './fault.js'

export const listFaults: ControlCall = {
  method: 'get',
  path: '/faults',
  title: 'lists the faults that are set, with the calls that they saw and were injected into',
  handle: ({ faults }) => ({ faults: faults.list() }),
}

export const setFault: ControlCall = {
  method: 'post',
  path: '/faults',
  title: 'sets a fault of a `kind` for an `operation`, on calls whose body `match`es, on `every` nth or the `next` n',
  handle: ({ faults }, request) => faults.add(decodeFault(request)),
}

export const clearFaults: ControlCall = {
  method: 'delete',
  path: '/faults',
  title: 'clears all faults',
  handle: ({ faults }) => {
    faults.clear()
    return { faults: [] }
  },
}

export const clearFault: ControlCall = {
  method: 'delete',
  path: '/faults/:id',
  title: 'clears one fault',
  handle: ({ faults }, { params }) => {
    faults.remove(params['id'] ?? '')
    return { faults: faults.list() }
  },
}
