/** What an exploration changes at a participant is written down before it does, as runs do, and put back at its end. */
import { ChangeJournal } from '../runner/changes/journal.js'
import { putBack } from '../runner/changes/put-back.js'
import { readVetting, type VettingState } from '../runner/changes/vetting-state.js'
import { withdrawRights } from '../runner/changes/withdraw-rights.js'
import type { GrantedRights } from '../runner/provision/actors.js'
import { TargetError } from '../runner/target/target.js'
import type { Side } from './send/side.js'

/** Where nobody else will ever see what is changed there is no folder: then nothing is written down, nor put back. */
export class SideChanges {
  readonly #side: Side
  readonly #run: string
  readonly #folder: string | undefined
  readonly #given: GrantedRights[] = []
  #journal: Promise<ChangeJournal> | undefined
  #vetting: { found: VettingState; read(): Promise<VettingState> } | undefined

  constructor(side: Side, run: string, folder: string | undefined) {
    this.#side = side
    this.#run = run
    this.#folder = folder
  }

  /** To be awaited before a user is made or gets rights. Rejects with `JournalError`. */
  readonly recordGrant = async (given: GrantedRights): Promise<void> => {
    const journal = await this.#open()
    await journal?.recordGrant(given)
    if (journal) this.#given.push(given)
  }

  /** To be awaited before what is vetted is changed. Rejects with `JournalError`, and with `TargetError` where it is not told. */
  async watchVetting(ids: readonly string[]): Promise<void> {
    const { participantId, synchronizerIds } = this.#side.discovery
    if (participantId === undefined || this.#folder === undefined) return
    const watched = new Set(ids)
    const read = () => readVetting(participantId, synchronizerIds, watched, this.#side.as(this.#side.defaultUser))
    const found = await read()
    await (await this.#open())?.found({ watched: ids.slice(), vetting: found })
    this.#vetting = { found, read }
  }

  /** Puts everything back; a sentence for each thing that is left. */
  async settle(): Promise<string[]> {
    const call = this.#side.as(this.#side.defaultUser)
    const left = this.#vetting ? (await putBack(this.#vetting.found, this.#vetting.read, call)).left : []
    for (const given of this.#given) {
      try {
        await withdrawRights(given, call, () => true)
      } catch (error) {
        if (!(error instanceof TargetError)) throw error
        left.push(`the user ${given.user} is left with its rights: ${error.message}`)
      }
    }
    // One that could not be made has kept everything from being changed.
    const journal = await this.#journal?.catch(() => undefined)
    await journal?.close(left.length === 0)
    return left.map((sentence) => `${this.#side.name}: ${sentence}`)
  }

  #open(): Promise<ChangeJournal> | undefined {
    if (this.#folder === undefined) return undefined
    const { participantId } = this.#side.discovery
    this.#journal ??= ChangeJournal.create(this.#folder, {
      ...{ run: this.#run, url: this.#side.target.url },
      ...(participantId !== undefined && { participantId }),
      at: new Date().toISOString(),
    })
    return this.#journal
  }
}
