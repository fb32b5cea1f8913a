import type { DamlRecord, DamlValue } from '../../interface/daml-value.js'
import type { Choice, DamlInterface, InterfaceChoice, Template } from '../../model/description.js'

/** What a command exercises: a choice of a template, or one of an interface (on any template that implements it). */
export type ChoiceTarget =
  | { template: Template; choice: Choice; interface?: never }
  | { interface: DamlInterface; choice: InterfaceChoice; template?: never }

/** A command with names resolved and values decoded. */
export type LedgerCommand =
  | { kind: 'create'; template: Template; argument: DamlRecord }
  | { kind: 'exercise'; contractId: string; target: ChoiceTarget; argument: DamlRecord }
  | { kind: 'exerciseByKey'; template: Template; key: DamlValue; target: ChoiceTarget; argument: DamlRecord }
  | {
      kind: 'createAndExercise'
      template: Template
      createArgument: DamlRecord
      target: ChoiceTarget
      argument: DamlRecord
    }
