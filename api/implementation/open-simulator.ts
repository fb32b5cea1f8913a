import { type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type { AskControl } from '../../simulator/control/calls/call.js'
import {
  advanceClock,
  freezeClock,
  readClock,
  setClock,
  unfreezeClock,
} from '../../simulator/control/calls/clock-calls.js'
import {
  changeState,
  deleteSnapshot,
  listSnapshots,
  readState,
  reset,
  restoreSnapshot,
  takeSnapshot,
} from '../../simulator/control/calls/state-calls.js'
import {
  clearFault,
  clearFaults,
  clearJournal,
  listFaults,
  readJournal,
  setFault,
} from '../../simulator/control/calls/traffic-calls.js'
import { ControlError } from '../../simulator/control/state/control-request.js'
import { SettingError, StateError, startControlledSimulator } from '../../simulator/simulator.js'
import { ConformanceError } from '../types/conformance-error.js'
import type {
  Exchange,
  LedgerTime,
  SetFault,
  Simulator,
  SimulatorControl,
  SimulatorOptions,
  Snapshot,
  Snapshots,
} from '../types/simulator.js'

export async function openSimulator<Party extends string>(options: SimulatorOptions<Party>): Promise<Simulator<Party>> {
  const simulator = await startControlledSimulator(options).catch((error: unknown) => {
    throw simulatorProblem(error, options.port)
  })
  const { url, ask, partyIdOf } = simulator
  const call = controlCaller(ask)
  const parties = Object.fromEntries((options.parties ?? []).map((hint) => [hint, partyIdOf(hint)]))
  const close = (): Promise<void> => simulator.close()
  return {
    url,
    parties: parties as Record<Party, string>, // one for each hint
    control: controlOf(call),
    snapshots: snapshotsOf(call),
    close,
    [Symbol.asyncDispose]: close,
  }
}

type ControlCall = Parameters<AskControl>[0]
type ControlRequest = Omit<NonNullable<Parameters<AskControl>[1]>, 'body'> & {
  /** A string is sent unchanged, other values as JSON. */
  body?: unknown
}
/** Rejects with `ConformanceError`. */
type CallControl = (call: ControlCall, request?: ControlRequest) => Promise<string>

const controlCaller =
  (ask: AskControl): CallControl =>
  async (call, { body, ...rest } = {}) => {
    try {
      return printJson(await ask(call, body === undefined ? rest : { ...rest, body: jsonOf(body) }))
    } catch (error) {
      throw simulatorProblem(error)
    }
  }

function jsonOf(value: unknown): JsonValue {
  if (typeof value === 'string') return value
  try {
    return parseJson(JSON.stringify(value))
  } catch (error) {
    throw new ConformanceError('CONTROL_REFUSED', `the argument cannot be written as JSON: ${String(error)}`, error)
  }
}

// The casts follow the answers in docs/control-plane.md.

const controlOf = (call: CallControl): SimulatorControl => {
  const time = async (text: Promise<string>): Promise<LedgerTime> => JSON.parse(await text) as LedgerTime
  return {
    clock: {
      read: () => time(call(readClock)),
      freeze: () => time(call(freezeClock)),
      unfreeze: () => time(call(unfreezeClock)),
      advance: (seconds) => time(call(advanceClock, { body: { seconds } })),
      set: (now) => time(call(setClock, { body: { now } })),
    },
    faults: {
      inject: async (fault) => JSON.parse(await call(setFault, { body: fault })) as SetFault,
      list: async () => (JSON.parse(await call(listFaults)) as { faults: SetFault[] }).faults,
      async clear(id) {
        if (id === undefined) await call(clearFaults)
        else await call(clearFault, { params: { id } })
      },
    },
    journal: {
      async read({ operation, last } = {}) {
        const query = {
          ...(operation !== undefined && { operation }),
          ...(last !== undefined && { last: String(last) }),
        }
        return (JSON.parse(await call(readJournal, { query })) as { exchanges: Exchange[] }).exchanges
      },
      async clear() {
        await call(clearJournal)
      },
    },
    async reset() {
      await call(reset)
    },
  }
}

const snapshotsOf = (call: CallControl): Snapshots => ({
  take: async (name) => JSON.parse(await call(takeSnapshot, { params: { name } })) as Snapshot,
  async restore(name) {
    await call(restoreSnapshot, { params: { name } })
  },
  async delete(name) {
    await call(deleteSnapshot, { params: { name } })
  },
  list: async () => (JSON.parse(await call(listSnapshots)) as { snapshots: Snapshot[] }).snapshots,
  save: () => call(readState),
  async load(state) {
    await call(changeState, { body: state })
  },
})

/** A `ConformanceError` if the caller can fix the problem; otherwise the error itself. */
function simulatorProblem(error: unknown, port = 0): unknown {
  if (error instanceof SettingError) return new ConformanceError('INVALID_OPTION', error.message, error)
  if (error instanceof ControlError) return new ConformanceError('CONTROL_REFUSED', error.message, error)
  if (error instanceof StateError) return new ConformanceError('INVALID_STATE', error.message, error)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error
  const reason = code === 'EACCES' ? 'this user has no permission to listen on it' : 'it is in use'
  return new ConformanceError('PORT_UNUSABLE', `port ${port}: ${reason}; omit the option to use a free port`, error)
}
