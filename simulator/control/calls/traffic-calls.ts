import { ControlError } from '../state/control-request.js'
import { decodeFault } from '../state/fault.js'
import { calledOperations } from '../state/faults.js'
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

export const readJournal: ControlCall = {
  method: 'get',
  path: '/journal',
  title: 'lists the last exchanges, oldest first; `?operation=` and `?last=` filter',
  handle: ({ journal, endpoints }, { query }) => {
    const operation = query.get('operation')
    const last = query.get('last') ?? '100'
    if (!/^[1-9]\d{0,5}$/.test(last)) {
      throw new ControlError('INVALID_QUERY', 'last: expected a whole number of at least 1')
    }
    const operations = operation === null ? undefined : calledOperations(operation, endpoints)
    return { ...journal.read(operations, Number(last)) }
  },
}

export const clearJournal: ControlCall = {
  method: 'delete',
  path: '/journal',
  title: 'empties the journal',
  handle: ({ journal }) => {
    journal.clear()
    return { exchanges: [], seen: 0 }
  },
}

export const trafficCalls: readonly ControlCall[] = [
  listFaults,
  setFault,
  clearFaults,
  clearFault,
  readJournal,
  clearJournal,
]
