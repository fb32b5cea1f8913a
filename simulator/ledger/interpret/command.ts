import type { ChoiceSchema, InterfaceSchema, TemplateSchema } from '../../../daml/schema/schema.js'
import type { DamlRecord, DamlValue } from '../../../interface/daml-value.js'

/** What a command exercises: a choice of a template, or one of an interface (on any template that implements it). */
export type ChoiceTarget =
  | { template: TemplateSchema; choice: ChoiceSchema; interface?: never }
  | { interface: InterfaceSchema; choice: ChoiceSchema; template?: never }

/** A command with names resolved and values decoded. */
export type LedgerCommand =
  | { kind: 'create'; template: TemplateSchema; argument: DamlRecord }
  | { kind: 'exercise'; contractId: string; target: ChoiceTarget; argument: DamlRecord }
  | { kind: 'exerciseByKey'; template: TemplateSchema; key: DamlValue; target: ChoiceTarget; argument: DamlRecord }
  | {
      kind: 'createAndExercise'
      template: TemplateSchema
      createArgument: DamlRecord
      target: ChoiceTarget
      argument: DamlRecord
    }
