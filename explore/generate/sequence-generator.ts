/** Generates a sequence from a seed and from answers of the reference. */
import { isOperationName, type OperationName } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import { bodyMembers, type Step } from '../send/step.js'
import { alterCaller, alterField, alterForm } from './alter-request.js'
import { Combinations } from './combinations.js'
import { type DraftContext, type DraftStep, variable } from './draft-step.js'
import { prepareAndExecute } from './executions.js'
import type { GeneratorSettings } from './generator-settings.js'
import { KnownLedger } from './known-ledger.js'
import { completionsOf, eventsOf, finalReads, lookUp, readEnd } from './lookups.js'
import { randomOf } from './random.js'
import { repeat, submit } from './submissions.js'
import { templatesFor } from './templates.js'
import { changeVetting, listVetted, packageReference, restoringVetting, synchronizersIn } from './vetting.js'
import { type Workload, workloadsFor } from './workloads.js'

/** Average number of drawn steps. */
const usualLength = 24

export class SequenceGenerator {
  readonly #queue: DraftStep[] = [{ step: readEnd('begin') }]
  readonly #context: DraftContext
  readonly #workload: Workload
  readonly #settings: GeneratorSettings
  readonly #submitted: Step[] = []
  /** Accepted submissions of the user whose completions are read. */
  #accepted = 0
  #last: DraftStep | undefined
  #remaining: number
  #combinations: Combinations | undefined
  #hasListedVetting = false
  #hasChangedVetting = false
  #isEnding = false

  constructor(seed: string, settings: GeneratorSettings) {
    const random = randomOf(seed)
    const templates = templatesFor(settings.hasModel)
    let count = 0
    this.#settings = settings
    this.#workload = random.pick(workloadsFor(settings))
    this.#remaining = usualLength / 2 + random.below(usualLength)
    const { external, hasTokens, canChangeVetting, variables } = settings
    this.#context = {
      ...{ random, templates, parties: ['alice', 'bob', 'carol'], external, hasTokens, canChangeVetting },
      ledger: new KnownLedger(templates, variables),
      hasOtherSynchronizer: variables.has('otherSynchronizerId'),
      number: () => {
        count += 1
        return count
      },
      enqueue: (draft) => void this.#queue.push(draft),
    }
  }

  next(): Step | undefined {
    const draft = this.#queue.shift() ?? this.#draw()
    this.#last = draft && this.#alter(draft)
    return this.#last?.step
  }

  /** `answer`: a 2xx body of the reference. Adds captures to the step. */
  observe(step: Step, answer: JsonValue | undefined): void {
    const captured = this.#last?.onAnswer?.(answer)
    if (captured) Object.assign(step.capture, captured)
    if (step.operation !== 'submit-and-wait' || answer === undefined) return
    this.#submitted.push(step)
    if (step.actor === 'operator' && isOfCaller(step)) this.#accepted += 1
  }

  finalReads(): Step[] {
    return finalReads(this.#context)
  }

  #draw(): DraftStep | undefined {
    this.#remaining -= 1
    return this.#remaining <= 0 ? this.#end() : this.#drawUnaltered()
  }

  #alter(draft: DraftStep): DraftStep {
    if (!isJudged(draft.step) || draft.step.restores || this.#couldChangeVetting(draft.step)) return draft
    const { random } = this.#context
    const { altered } = this.#workload
    const { actors, tokens, hasTokens } = this.#settings
    const callerRate = hasTokens ? altered.caller : 0
    const alter = random.weighted<(step: Step) => Step>(
      [altered.field, (step) => alterField(step, random)],
      [altered.form, (step) => alterForm(step, random)],
      [callerRate, (step) => alterCaller(step, random, actors, tokens)],
      [1 - altered.field - altered.form - callerRate, (step) => step],
    )
    const step = alter(draft.step)
    return { ...draft, step: step === draft.step ? step : { ...step, original: draft.step } }
  }

  /** An alteration could remove `dryRun` although vetting must not change. */
  #couldChangeVetting({ operation }: Step): boolean {
    return operation === 'update-package-vetting' && !this.#settings.canChangeVetting
  }

  #drawUnaltered(): DraftStep {
    const context = this.#context
    const { random, external, ledger } = context
    const { submit: submits, repeat: repeats, lookUp: lookUps, execute, vet, events, combine } = this.#workload
    const canVet = this.#settings.packages.length > 0
    return random.weighted<() => DraftStep>(
      [submits, () => submit(context)],
      [this.#submitted.length > 0 ? repeats : 0, () => repeat(context, random.pick(this.#submitted))],
      [ledger.contracts.length > 0 ? lookUps : lookUps / 8, () => lookUp(context)],
      [external.length > 0 ? execute : 0, () => prepareAndExecute(context)],
      [canVet ? vet : 0, () => this.#vet()],
      [canVet ? vet / 6 : 0, () => listVetted()],
      [combine, () => this.#combine()],
      [this.#accepted > 0 ? events / 2 : 0, () => completionsOf(context, this.#accepted)],
      [events, () => eventsOf(context) ?? submit(context)],
    )()
  }

  #combine(): DraftStep {
    const { random, ledger, external } = this.#context
    const { only, packages, strength = 2 } = this.#settings
    const [contract] = ledger.contracts
    if (!contract && (only === undefined || only === 'contract-by-id')) return submit(this.#context)
    if (!this.#combinations) {
      const [first] = packages
      const kinds: readonly OperationName[] = [
        ...(contract ? (['contract-by-id'] as const) : []),
        ...(['submit-and-wait', 'submit-and-wait'] as const),
        ...(external.length > 0 ? (['execute', 'execute-and-wait-for-transaction'] as const) : []),
        ...(first ? (['update-package-vetting'] as const) : []),
      ]
      const possible = kinds.filter((name) => only === undefined || name === only)
      const operation = random.pick(possible.length > 0 ? possible : (['submit-and-wait'] as const))
      this.#combinations = new Combinations(operation, random, strength, {
        contract: variable(contract?.name ?? ''),
        packageReference: packageReference({ ...(first && { id: first.id }) }),
      })
    }
    return this.#combinations.next(this.#context)
  }

  /** The first request reads the serial. */
  #vet(): DraftStep {
    if (!this.#hasListedVetting) {
      this.#hasListedVetting = true
      return listVetted()
    }
    this.#hasChangedVetting ||= this.#settings.canChangeVetting
    return changeVetting(this.#context, this.#settings.packages)
  }

  #end(): DraftStep | undefined {
    if (this.#isEnding) return undefined
    this.#isEnding = true
    this.#queue.push(...(this.#hasListedVetting ? [listVetted()] : []), ...this.#restore())
    return this.#queue.shift()
  }

  #restore(): DraftStep[] {
    const { variables, packages } = this.#settings
    return this.#hasChangedVetting ? restoringVetting(packages, synchronizersIn(variables)) : []
  }
}

/** The body names the caller as its user, or no user. */
function isOfCaller(step: Step): boolean {
  const { userId } = bodyMembers(step)
  return userId === undefined || userId === variable('user')
}

export const isJudged = ({ operation }: Pick<Step, 'operation'>): boolean => isOperationName(operation)
