/** What a conversation is about: how much it has of what. */
import type { OperationName } from '../../interface/operations.js'
import type { Stage } from './generator-settings.js'

/** How much of what a conversation has. */
export interface Theme {
  name: string
  submit: number
  again: number
  lookUp: number
  execute: number
  vet: number
  events: number
  /** Requests of a covering array. */
  combine: number
  /** How often a request is disturbed: a field, its form, its caller. */
  disturbed: { field: number; form: number; caller: number }
}

const calm = { field: 0, form: 0, caller: 0.04 }

const themes: readonly Theme[] = [
  { name: 'commands', submit: 8, again: 2, lookUp: 3, execute: 0, vet: 0, events: 1, combine: 0, disturbed: calm },
  { name: 'executions', submit: 1, again: 0, lookUp: 1, execute: 8, vet: 0, events: 1, combine: 0, disturbed: calm },
  { name: 'vetting', submit: 4, again: 0, lookUp: 1, execute: 0, vet: 8, events: 0, combine: 0, disturbed: calm },
  {
    name: 'fields',
    submit: 6,
    again: 0,
    lookUp: 2,
    execute: 3,
    vet: 3,
    events: 0,
    combine: 0,
    disturbed: { field: 0.7, form: 0.02, caller: 0.02 },
  },
  {
    name: 'forms',
    submit: 3,
    again: 0,
    lookUp: 3,
    execute: 3,
    vet: 2,
    events: 0,
    combine: 0,
    disturbed: { field: 0.1, form: 0.6, caller: 0.1 },
  },
  {
    name: 'callers',
    submit: 4,
    again: 0,
    lookUp: 4,
    execute: 3,
    vet: 2,
    events: 0,
    combine: 0,
    disturbed: { field: 0.05, form: 0, caller: 0.6 },
  },
]

const combining: Theme = {
  ...{ name: 'combinations', submit: 1, again: 0, lookUp: 0, execute: 0, vet: 0, events: 0, combine: 12 },
  disturbed: { field: 0, form: 0, caller: 0 },
}

/** Of so many conversations these change what is vetted: one behind the other, as the others wait for each of them. */
const period = 32
const alone: ReadonlySet<number> = new Set([5, 6, 7, 8])

/** What is vetted is everybody's, so that only some conversations change it; in the others that is only decided. */
export function changesVetting({ may, packages, only }: Stage, number: number): boolean {
  if (!may.topology || packages.length === 0) return false
  if (only !== undefined) return only === 'update-package-vetting' && number % 2 === 1
  return alone.has(number % period)
}

/** The themes that there can be on the stage; where vetting may be changed, it is about that. */
export function themesFor(stage: Stage): readonly Theme[] {
  const { only, hasTokens, external, packages, may } = stage
  const fit = themes.filter(({ name }) => {
    if (name === 'callers') return hasTokens
    if (name === 'executions') return external.length > 0
    return name !== 'vetting' || packages.length > 0
  })
  if (may.topology && packages.length > 0) return fit.filter(({ vet }) => vet > 0).map(parts['update-package-vetting'])
  if (only === undefined) return [...fit, combining, combining]
  return [...fit.map(parts[only]), ...(only.startsWith('execute') && external.length === 0 ? [] : [combining])]
}

/** A theme for conversations about one operation. */
const parts: Readonly<Record<OperationName, (theme: Theme) => Theme>> = {
  'contract-by-id': (theme) => ({ ...theme, execute: 0, vet: 0, again: 0, lookUp: 8, submit: 2 }),
  'submit-and-wait': (theme) => ({ ...theme, execute: 0, vet: 0 }),
  execute: (theme) => ({ ...theme, vet: 0, again: 0, execute: 8 }),
  'execute-and-wait-for-transaction': (theme) => ({ ...theme, vet: 0, again: 0, execute: 8 }),
  'update-package-vetting': (theme) => ({ ...theme, execute: 0, again: 0, vet: 8 }),
}
