/** Generates a sequence from a seed and from answers of the reference. */
import { constantFrom, nat } from 'fast-check'
import { isOperationName } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { Step } from '../../record/types/exploration.js'
import { bodyMembers } from '../send/step.js'
import { alterCaller, alterField, alterForm } from './alter-request.js'
import { type DraftContext, type DraftStep, variable } from './draft-step.js'
import { chance, drawFrom, weighted } from './draw.js'
import { prepareAndExecute } from './executions.js'
import { KnownLedger } from './known-ledger.js'
import { completionsOf, eventsOf, finalReads, lookUp, readEnd } from './lookups.js'
import { repeat, submit } from './submissions.js'
import { templatesFor } from './templates.js'
import { changeVetting, listVetted, restoringVetting, synchronizersIn } from './vetting.js'
import { type GeneratorSettings, type Workload, workloadsFor } from './workloads.js'

/** Average number of drawn steps. */
const usualLength = 24

/** Percent of the altered members after which another one is altered. */
const alteredTwice = 25

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
  #hasListedVetting = false
  #hasChangedVetting = false
  #isEnding = false

  constructor(seed: string, settings: GeneratorSettings) {
    const draw = drawFrom(seed)
    const templates = templatesFor(settings.hasModel)
    const { external, hasTokens, canChangeVetting, variables, values } = settings
    let count = 0
    this.#settings = settings
    this.#workload = draw(constantFrom(...workloadsFor(settings)))
    this.#remaining = usualLength / 2 + draw(nat(usualLength))
    this.#context = {
      draw,
      templates,
      parties: ['alice', 'bob', 'carol'],
      external,
      hasTokens,
      canChangeVetting,
      alterations: values.alterations,
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
    const { draw } = this.#context
    const { field, form, caller } = this.#workload.altered
    const callerRate = this.#settings.hasTokens ? caller : 0
    const alter = draw(
      weighted<(step: Step) => Step>(
        [field, (step) => this.#alterFields(step)],
        [form, (step) => alterForm(step, draw, this.#settings.values)],
        [callerRate, (step) => alterCaller(step, draw, this.#settings)],
        [100 - field - form - callerRate, (step) => step],
      ),
    )
    const step = alter(draft.step)
    return { ...draft, step: step === draft.step ? step : { ...step, original: draft.step } }
  }

  #alterFields(step: Step): Step {
    const { draw } = this.#context
    const { values } = this.#settings
    const altered = alterField(step, draw, values)
    return draw(chance(alteredTwice)) ? alterField(altered, draw, values) : altered
  }

  /** An alteration could remove `dryRun` although vetting must not change. */
  #couldChangeVetting({ operation }: Step): boolean {
    return operation === 'update-package-vetting' && !this.#settings.canChangeVetting
  }

  #drawUnaltered(): DraftStep {
    const context = this.#context
    const { draw, external, ledger } = context
    const { submit: submits, repeat: repeats, lookUp: lookUps, execute, vet, events } = this.#workload
    const canVet = this.#settings.packages.length > 0
    const make = draw(
      weighted<() => DraftStep>(
        [submits, () => submit(context)],
        [this.#submitted.length > 0 ? repeats : 0, () => repeat(context, draw(constantFrom(...this.#submitted)))],
        [ledger.contracts.length > 0 ? lookUps : lookUps / 8, () => lookUp(context)],
        [external.length > 0 ? execute : 0, () => prepareAndExecute(context)],
        [canVet ? vet : 0, () => this.#vet()],
        [canVet ? vet / 6 : 0, () => listVetted()],
        [this.#accepted > 0 ? events / 2 : 0, () => completionsOf(context, this.#accepted)],
        [events, () => eventsOf(context) ?? submit(context)],
      ),
    )
    return make()
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

export const isJudged = ({ operation }: Step): boolean => isOperationName(operation)
