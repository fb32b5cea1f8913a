import { cachedBy } from '../../lib/made-once.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'

/** In the order of their first use. Steps and profiles share parts: the requests of probes occur in hundreds of rows. */
export const variablesIn = cachedBy((part: object): ReadonlySet<string> => {
  const text = JSON.stringify(part)
  return new Set(text.includes('${') ? [...text.matchAll(/\$\{([\w.-]+)\}/g)].map(([, name = '']) => name) : [])
})

/** Other members of steps and expectations contain no variables. */
export const variablesOfStep = cachedBy(
  ({ request, token, expectations, race }: ResolvedStep): ReadonlySet<string> =>
    new Set([
      ...variablesIn(request),
      ...(token?.claims ? variablesIn(token.claims) : []),
      ...[...expectations, ...(race?.others ?? [])].flatMap(({ anyOf }) => [...variablesIn(anyOf)]),
    ]),
)
