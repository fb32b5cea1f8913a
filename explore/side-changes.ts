/** Changes on one side are journaled before they are sent, and restored at the end. */
import { ChangeJournal } from '../runner/changes/journal.js'
import { readVetting, restoreVetting, type VettingState } from '../runner/changes/vetting-state.js'
import { withdrawRights } from '../runner/changes/withdraw-rights.js'
import type { GrantedRights } from '../runner/provision/actors.js'
import type { Caller } from '../runner/provision/caller.js'
import { TargetError } from '../runner/target/target.js'
import type { Side } from './send/side.js'

/** Without a folder it does nothing: the participant ends with the exploration. */
export class SideChanges {
  readonly #side: Side
  readonly #run: string
  readonly #folder: string | undefined
  readonly #granted: GrantedRights[] = []
  #journal: Promise<ChangeJournal> | undefined
  #vetting: { initial: VettingState; read(): Promise<VettingState> } | undefined

  constructor(side: Side, run: string, folder: string | undefined) {
    this.#side = side
    this.#run = run
    this.#folder = folder
  }

  /** Await it before users or rights change. Rejects with `JournalError`. */
  readonly recordGrant = async (granted: GrantedRights): Promise<void> => {
    const journal = await this.#open()
    await journal?.recordGrant(granted)
    if (journal) this.#granted.push(granted)
  }

  /** Await it before vetting changes. Rejects with `JournalError` and `TargetError`. */
  async recordVetting(packageIds: readonly string[]): Promise<void> {
    const { participantId, synchronizerIds } = this.#side.discovery
    if (participantId === undefined || this.#folder === undefined) return
    const watched = new Set(packageIds)
    const read = () => readVetting(participantId, synchronizerIds, watched, this.#restoring)
    const initial = await read()
    await (await this.#open())?.recordVetting({ watched: packageIds.slice(), vetting: initial })
    this.#vetting = { initial, read }
  }

  async restore(): Promise<string[]> {
    if (this.#side.guard.isGone) return this.#remaining()
    const call = this.#restoring
    const remaining = this.#vetting ? (await restoreVetting(this.#vetting.initial, this.#vetting.read, call)).left : []
    for (const granted of this.#granted) {
      try {
        await withdrawRights(granted, call, () => true)
      } catch (error) {
        if (!(error instanceof TargetError)) throw error
        remaining.push(`the user ${granted.user} keeps its rights: ${error.message}`)
      }
    }
    // If the journal could not be created, nothing was changed.
    const journal = await this.#journal?.catch(() => undefined)
    await journal?.close(remaining.length === 0)
    return remaining.map((sentence) => `${this.#side.name}: ${sentence}`)
  }

  /** The journal stays open for `conform clean`. */
  async #remaining(): Promise<string[]> {
    const journal = await this.#journal?.catch(() => undefined)
    await journal?.close(false)
    return journal
      ? [
          `${this.#side.name}: it stopped answering, so users and vetting may remain changed. conform clean restores them.`,
        ]
      : []
  }

  get #restoring(): Caller {
    return this.#side.restoreAs(this.#side.defaultUser)
  }

  #open(): Promise<ChangeJournal> | undefined {
    if (this.#folder === undefined) return undefined
    const { participantId } = this.#side.discovery
    this.#journal ??= ChangeJournal.create(this.#folder, {
      run: this.#run,
      url: this.#side.target.url,
      ...(participantId !== undefined && { participantId }),
      at: new Date().toISOString(),
    })
    return this.#journal
  }
}
