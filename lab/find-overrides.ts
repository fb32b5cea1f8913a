/** Finds mutants and permitted variants by name, and combines them for one simulator. */
import type { Overrides } from '../simulator/participant/participant.js'
import { combineInterceptors } from './interceptors/interceptors.js'
import { mutants } from './mutants/catalogue.js'
import { findNamed } from './mutants/mutant.js'
import { variants } from './variants/catalogue.js'
import type { Variant } from './variants/variant.js'

interface OverrideNames {
  mutant?: string | undefined
  variants?: readonly string[] | undefined
}

/** Throws `UsageError`. */
export function findOverrides({ mutant, variants: names = [] }: OverrideNames): Overrides {
  const chosen = names.map((name) => findNamed('variant', name, variants))
  return combineOverrides(chosen, mutant === undefined ? {} : findNamed('mutant', mutant, mutants))
}

/** The variants apply in the order of the catalogue, after the mutant. */
export function combineOverrides(chosen: readonly Variant[], mutant: Overrides = {}): Overrides {
  const names = new Set(chosen.map(({ name }) => name))
  const several = variants.filter(({ name }) => names.has(name))
  const limits = several.flatMap(({ bodyLimit }) => bodyLimit ?? [])
  const interceptors = [mutant, ...several].flatMap(({ interceptor }) => interceptor ?? [])
  return {
    ...mutant,
    ...(interceptors.length > 0 && { interceptor: combineInterceptors(interceptors) }),
    ...(limits.length > 0 && { bodyLimit: Math.max(...limits) }),
    ...(several.some(({ cutsOff }) => cutsOff) && { cutsOff: true }),
  }
}
