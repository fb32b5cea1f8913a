import type { Data, ResolvedStep } from '../../record/resolved-row.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'

interface Using {
  values: Record<string, Data>
  steps: readonly ResolvedStep[]
}

/**
 * Tells which fixtures something uses, in its values and steps, directly or through other fixtures; those that others need
 * come behind them.
 */
export function fixtureFinder(
  fixtures: readonly (Using & Pick<ResolvedFixture, 'name'>)[],
): (using: Using) => string[] {
  const byName = new Map(fixtures.map((fixture) => [fixture.name, fixture]))
  const direct = new Map(fixtures.map((fixture) => [fixture.name, namesIn(fixture)]))
  return (using) => {
    const needed = new Set<string>()
    const add = (name: string): void => {
      if (!byName.has(name) || needed.has(name)) return
      needed.add(name)
      for (const inner of direct.get(name) ?? []) add(inner)
    }
    for (const name of namesIn(using)) add(name)
    return [...needed]
  }
}

function namesIn({ values, steps }: Using): string[] {
  return [...new Set([...namesInText(JSON.stringify(values)), ...steps.flatMap(namesInStep)])]
}

/** Steps of probes stand in hundreds of rows. */
const known = new WeakMap<ResolvedStep, string[]>()

function namesInStep(step: ResolvedStep): string[] {
  const { request, token, expectations, race } = step
  const names = known.get(step) ?? namesInText(JSON.stringify([request, token?.claims, expectations, race]))
  known.set(step, names)
  return names
}

/** `${ping.contractId}` belongs to the fixture `ping`. */
const namesInText = (text: string): string[] => [
  ...new Set([...text.matchAll(/\$\{([\w-]+)[\w.-]*\}/g)].map(([, name = '']) => name)),
]
