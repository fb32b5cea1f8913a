import type { ControlCall } from './call.js'
import { clockCalls } from './clock-calls.js'
import { stateCalls } from './state-calls.js'
import { trafficCalls } from './traffic-calls.js'

const listCalls: ControlCall = {
  method: 'get',
  path: '',
  title: 'lists these calls',
  handle: () => ({
    calls: controlCalls.map(({ method, path, title }) => ({
      method: method.toUpperCase(),
      path: shownPath(path),
      title,
    })),
  }),
}

export const controlCalls: readonly ControlCall[] = [listCalls, ...clockCalls, ...trafficCalls, ...stateCalls]

export const prefix = '/control'

export const shownPath = (path: string): string => prefix + path.replace(/:(\w+)/g, '{$1}')
