import type { ChoiceSchema, InterfaceSchema, TemplateSchema } from '../../../daml/schema/schema.js'
import type { DamlRecord, DamlValue } from '../../../interface/daml-value.js'
import type { Entity } from '../packages/package-store.js'

export type ChoiceTarget =
  | { template: TemplateSchema; choice: ChoiceSchema; interface?: never }
  | { interface: InterfaceSchema; choice: ChoiceSchema; template?: never }

export function targetIn(entity: Entity | undefined, choiceName: string): ChoiceTarget | undefined {
  const { template, interface: definition } = entity ?? {}
  const choice = (template ?? definition)?.choices.find(({ name }) => name === choiceName)
  if (template && choice) return { template, choice }
  return definition && choice && { interface: definition, choice }
}

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
