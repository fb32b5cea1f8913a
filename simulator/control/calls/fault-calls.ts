import { decodeFault } from '../state/fault.js'
import type { ControlCall } from './call.js'

export const listFaults: ControlCall = {
  method: 'get',
  path: '/faults',
  title: 'lists the active faults, with the number of matching and affected calls',
  handle: ({ faults }) => ({ faults: faults.list() }),
}

export const setFault: ControlCall = {
  method: 'post',
  path: '/faults',
  title: 'adds a fault of a `kind` for an `operation`, for a body that `match`es, for `every` nth call or the `next` n',
  handle: ({ faults }, request) => faults.add(decodeFault(request)),
}

export const clearFaults: ControlCall = {
  method: 'delete',
  path: '/faults',
  title: 'removes all faults',
  handle: ({ faults }) => {
    faults.clear()
    return { faults: [] }
  },
}

export const clearFault: ControlCall = {
  method: 'delete',
  path: '/faults/:id',
  title: 'removes one fault',
  handle: ({ faults }, { params }) => {
    faults.remove(params['id'] ?? '')
    return { faults: faults.list() }
  },
}
