import { deleteSnapshot, listSnapshots, restoreSnapshot, takeSnapshot } from '../../simulator/control/snapshot-calls.js'
import { changeState, readState } from '../../simulator/control/state-calls.js'
import type { Snapshot, Snapshots } from '../types/snapshots.js'
import type { AskPlainly } from './ask-plainly.js'

// Each cast is to the shape of an answer that the simulator makes itself; docs/control-plane.md tells them.

/** The states of a simulator, by the calls of its control plane. */
export const snapshotsOf = (ask: AskPlainly): Snapshots => ({
  take: async (name) => JSON.parse(await ask(takeSnapshot, { params: { name } })) as Snapshot,
  async restore(name) {
    await ask(restoreSnapshot, { params: { name } })
  },
  async delete(name) {
    await ask(deleteSnapshot, { params: { name } })
  },
  list: async () => (JSON.parse(await ask(listSnapshots)) as { snapshots: Snapshot[] }).snapshots,
  save: () => ask(readState),
  async load(state) {
    await ask(changeState, { body: state })
  },
})
