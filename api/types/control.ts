import type { Fault, SetFault } from './faults.js'
import type { Journal } from './journal.js'

/** The ledger's clock: `now` is ISO 8601 with microseconds, in UTC. */
export interface LedgerTime {
  now: string
  frozen: boolean
}

/** What can be done to a simulator while it runs. All reject with `ConformanceError`, `CONTROL_REFUSED`, and change nothing then. */
export interface SimulatorControl {
  /** The ledger's time; it can stand still and be put forward, never back. Whoever waits for a time is woken when it comes. */
  readonly clock: {
    read(): Promise<LedgerTime>
    freeze(): Promise<LedgerTime>
    unfreeze(): Promise<LedgerTime>
    /** Up to six decimals count. */
    advance(seconds: number): Promise<LedgerTime>
    set(now: Date | string): Promise<LedgerTime>
  }
  /** Troubles of the network; the operations know nothing of them. */
  readonly faults: {
    inject(fault: Fault): Promise<SetFault>
    list(): Promise<SetFault[]>
    /** One by its id, or all. */
    clear(id?: string): Promise<void>
  }
  readonly journal: Journal
  /** Rules of the interface, by the ids that reports print. One that is not enforced is broken, and no other. */
  readonly rules: {
    /** The ids of those that have a check, and whether it is made. */
    list(): Promise<Record<string, boolean>>
    enforce(...ids: string[]): Promise<void>
    leaveOut(...ids: string[]): Promise<void>
  }
  /** Puts everything back to how it was at the start, and clears faults and journal. Snapshots stay. */
  reset(): Promise<void>
}
