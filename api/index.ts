export { runSuite } from './run-suite.js'
export { startSimulator } from './start-simulator.js'
export { ConformanceError, type ConformanceErrorCode } from './types/conformance-error.js'
export type {
  Exchange,
  ExchangedBody,
  Fault,
  Journal,
  LedgerTime,
  SetFault,
  Simulator,
  SimulatorControl,
  SimulatorOptions,
  SimulatorUser,
  Snapshot,
  Snapshots,
} from './types/simulator.js'
export type {
  SuiteEvents,
  SuiteOperation,
  SuiteOptions,
  SuitePlan,
  SuiteProgress,
  SuiteResult,
  SuiteRow,
  SuiteRowResult,
  SuiteVerdict,
} from './types/suite.js'
