/** Draws a conversation turn by turn: what comes next depends on what the model said so far, and on a seed. */

import { type OperationName, operations } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import { bodyOfTurn, type Turn } from '../send/step.js'
import { disturbCaller, disturbField, disturbForm } from './alter-request.js'
import { Combinations } from './combinations.js'
import type { Drafted, Drafting } from './draft-step.js'
import { prepareAndExecute } from './executions.js'
import type { Stage } from './generator-settings.js'
import { KnownLedger } from './known-ledger.js'
import { beginning, completionsOf, eventsOf, everything, lookUp } from './lookups.js'
import { randomOf } from './random.js'
import { again, submit } from './submissions.js'
import { templatesFor } from './templates.js'
import { variable } from './variable.js'
import { changeVetting, listVetted, restoringVetting } from './vetting.js'
import { type Theme, themesFor } from './workloads.js'

/** Turns after which a conversation comes to its end. */
const usualLength = 24

export class Talker {
  readonly theme: string
  readonly #queue: Drafted[] = [beginning()]
  readonly #drafting: Drafting
  readonly #theme: Theme
  readonly #stage: Stage
  readonly #submitted: Turn[] = []
  /** Submissions of the one who asks for completions. */
  #accepted = 0
  #last: Drafted | undefined
  #left: number
  #combinations: Combinations | undefined
  #knowsVetting = false
  #changesVetting = false
  #isEnding = false

  constructor(seed: string, stage: Stage) {
    const random = randomOf(seed)
    const templates = templatesFor(stage.hasModel)
    let count = 0
    this.#stage = stage
    this.#theme = random.pick(themesFor(stage))
    this.theme = this.#theme.name
    this.#left = usualLength / 2 + random.below(usualLength)
    this.#drafting = {
      ...{ random, templates, parties: ['alice', 'bob', 'carol'] },
      ledger: new KnownLedger(templates, stage.variables),
      external: stage.external,
      hasTokens: stage.hasTokens,
      may: stage.may,
      hasOtherSynchronizer: stage.variables.has('otherSynchronizerId'),
      number: () => {
        count += 1
        return count
      },
      follow: (drafted) => void this.#queue.push(drafted),
    }
  }

  /** Undefined: the conversation is over. */
  next(): Turn | undefined {
    const drafted = this.#queue.shift() ?? this.#draw()
    this.#last = drafted && this.#disturbed(drafted)
    return this.#last?.turn
  }

  /** What the model said to the turn that came last; a success, or undefined. Adds to the turn what is to be captured. */
  hear(turn: Turn, answer: JsonValue | undefined): void {
    const captured = this.#last?.heard?.(answer)
    if (captured) Object.assign(turn.capture, captured)
    if (turn.operation !== 'submit-and-wait' || answer === undefined) return
    this.#submitted.push(turn)
    if (turn.actor === 'operator' && isOwn(turn)) this.#accepted += 1
  }

  #draw(): Drafted | undefined {
    this.#left -= 1
    if (this.#left <= 0) return this.#end()
    return this.#drawCalmly()
  }

  /** As it is, or with something done to it: what is under test, whoever thought of it. */
  #disturbed(drafted: Drafted): Drafted {
    if (!isJudged(drafted.turn) || drafted.turn.restores || this.#couldApply(drafted.turn)) return drafted
    const { random } = this.#drafting
    const { disturbed } = this.#theme
    const { actors, tokens, hasTokens } = this.#stage
    // The turn that is heard of is the one that was sent.
    const change = random.weighted<(turn: Turn) => Turn>([
      [disturbed.field, (turn) => disturbField(turn, random)],
      [disturbed.form, (turn) => disturbForm(turn, random)],
      [hasTokens ? disturbed.caller : 0, (turn) => disturbCaller(turn, random, actors, tokens)],
      [1 - disturbed.field - disturbed.form - (hasTokens ? disturbed.caller : 0), (turn) => turn],
    ])
    const turn = change(drafted.turn)
    return { ...drafted, turn: turn === drafted.turn ? turn : { ...turn, calm: drafted.turn } }
  }

  /** Who may only decide on vetting must not ask for more by mistake, as without dryRun. */
  #couldApply({ operation }: Turn): boolean {
    return operation === 'update-package-vetting' && !this.#stage.may.topology
  }

  #drawCalmly(): Drafted {
    const drafting = this.#drafting
    const { random, external, ledger } = drafting
    const { submit: submits, again: repeats, lookUp: looks, execute, vet, events } = this.#theme
    const canVet = this.#stage.packages.length > 0
    return random.weighted<() => Drafted>([
      [submits, () => submit(drafting)],
      [this.#submitted.length > 0 ? repeats : 0, () => again(drafting, random.pick(this.#submitted))],
      [ledger.contracts.length > 0 ? looks : looks / 8, () => lookUp(drafting)],
      [external.length > 0 ? execute : 0, () => prepareAndExecute(drafting)],
      [canVet ? vet : 0, () => this.#vet()],
      [canVet ? vet / 6 : 0, () => listVetted()],
      [this.#theme.combine, () => this.#combine()],
      [this.#accepted > 0 ? events / 2 : 0, () => completionsOf(drafting, this.#accepted)],
      [events, () => eventsOf(drafting) ?? submit(drafting)],
    ])()
  }

  #combine(): Drafted {
    const { random, ledger, external } = this.#drafting
    const { only, packages, strength = 2 } = this.#stage
    const [contract] = ledger.contracts
    if (!contract && (only === undefined || only === 'contract-by-id')) return submit(this.#drafting)
    if (!this.#combinations) {
      const [first] = packages
      const kinds: readonly OperationName[] = [
        ...(contract ? (['contract-by-id'] as const) : []),
        ...(['submit-and-wait', 'submit-and-wait'] as const),
        ...(external.length > 0 ? (['execute', 'execute-and-wait-for-transaction'] as const) : []),
        ...(first ? (['update-package-vetting'] as const) : []),
      ]
      const fitting = kinds.filter((name) => only === undefined || name === only)
      const operation = random.pick(fitting.length > 0 ? fitting : (['submit-and-wait'] as const))
      this.#combinations = new Combinations(operation, random, strength, {
        contract: variable(contract?.name ?? ''),
        reference: { packageId: first?.id ?? '', packageName: '', packageVersion: '' },
      })
    }
    return this.#combinations.next(this.#drafting)
  }

  /** The first thing to know is the serial. */
  #vet(): Drafted {
    if (!this.#knowsVetting) {
      this.#knowsVetting = true
      return listVetted()
    }
    this.#changesVetting ||= this.#stage.may.topology
    return changeVetting(this.#drafting, this.#stage.packages)
  }

  /** Puts back what others would miss. */
  #end(): Drafted | undefined {
    if (this.#isEnding) return undefined
    this.#isEnding = true
    this.#queue.push(...(this.#knowsVetting ? [listVetted()] : []), ...this.restoring())
    return this.#queue.shift()
  }

  /** To be had when it is over, whoever else does what meanwhile: all that came of it. */
  look(): Turn[] {
    return everything(this.#drafting).map(({ turn }) => turn)
  }

  /** What has to be sent behind the conversation, wherever it stopped. */
  restoring(): Drafted[] {
    if (!this.#changesVetting) return []
    const synchronizers = ['synchronizerId', 'otherSynchronizerId'].filter((name) => this.#stage.variables.has(name))
    return restoringVetting(this.#stage.packages, synchronizers)
  }
}

/** The user of the body is the one who calls, or left out. */
function isOwn(turn: Turn): boolean {
  const body = bodyOfTurn(turn)
  const user = typeof body === 'object' && body !== null && !Array.isArray(body) ? body['userId'] : undefined
  return user === undefined || user === variable('user')
}

/** One of the five operations, and not one of those that only support them. */
export const isJudged = ({ operation }: Pick<Turn, 'operation'>): boolean => Object.hasOwn(operations, operation)
