import { printJson } from '../../lib/json/json.js'
import type { ControlCall } from '../../simulator/control/calls/call.js'
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
import type { Control } from '../../simulator/control/state/control.js'
import { ControlError } from '../../simulator/control/state/control-request.js'
import { createParticipant, SettingError, StateError, serve } from '../../simulator/simulator.js'
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
  const { simulator, ledger } = await started(options).catch((error: unknown) => {
    throw simulatorProblem(error, options.port)
  })
  const { url, control } = simulator
  const call = controlCaller(control as Control) // present with the option `control`
  const parties = Object.fromEntries((options.parties ?? []).map((hint) => [hint, ledger.partyIdOf(hint)]))
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

async function started(options: SimulatorOptions) {
  const participant = await createParticipant(options)
  return { simulator: await serve(participant, { ...options, control: true }), ledger: participant.ledger }
}

interface CallArguments {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** A string is sent unchanged, other values as JSON. */
  body?: unknown
}

/** Rejects with `ConformanceError`. */
type CallControl = (call: ControlCall, request?: CallArguments) => Promise<string>

/** Without the network, which a test of a client may have replaced. */
const controlCaller =
  (control: Control): CallControl =>
  async (call, { params = {}, query = {}, body } = {}) => {
    try {
      const bytes = Buffer.from(typeof body === 'string' ? body : jsonOf(body))
      return printJson(await call.handle(control, { params, query: new URLSearchParams(query), body: bytes }))
    } catch (error) {
      throw simulatorProblem(error)
    }
  }

function jsonOf(value: unknown): string {
  try {
    // A function has no JSON: its text is no valid argument.
    return value === undefined ? '' : String(JSON.stringify(value))
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
