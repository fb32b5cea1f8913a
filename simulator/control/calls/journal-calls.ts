import { ControlError, decodeQuery } from '../state/control-request.js'
import { calledOperations } from '../state/faults.js'
import type { ControlCall } from './call.js'

export const readJournal: ControlCall = {
  method: 'get',
  path: '/journal',
  title: 'lists the last exchanges, oldest first; `?operation=` and `?last=` filter',
  handle: ({ journal, endpoints }, request) => {
    const { operation, last = '100' } = decodeQuery(request, ['operation', 'last'])
    if (!/^[1-9]\d{0,5}$/.test(last)) {
      throw new ControlError('INVALID_QUERY', 'last: expected a whole number of at least 1')
    }
    const operations = operation === undefined ? undefined : calledOperations(operation, endpoints)
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
