import { ControlError } from '../../simulator/control/state/control-error.js'
import { SettingError, StateError } from '../../simulator/simulator.js'
import { ConformanceError } from '../types/conformance-error.js'

/** What the caller gets for an error of the simulator: its own class for what can be put right, anything else as it is. */
export function simulatorProblem(error: unknown, port = 0): unknown {
  if (error instanceof SettingError) return new ConformanceError('INVALID_OPTION', error.message, error)
  if (error instanceof ControlError) return new ConformanceError('CONTROL_REFUSED', error.message, error)
  if (error instanceof StateError) {
    const { line, message } = error
    return new ConformanceError('INVALID_STATE', line === undefined ? message : `line ${line}: ${message}`, error)
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const why = code === 'EACCES' ? 'this user may not listen on it' : 'it is in use'
    return new ConformanceError('PORT_UNUSABLE', `port ${port}: ${why}; leave it out for a free one`, error)
  }
  if (code === 'ERR_SOCKET_BAD_PORT') {
    return new ConformanceError('INVALID_OPTION', `port: ${port} is no whole number from 0 to 65535`, error)
  }
  return error
}
