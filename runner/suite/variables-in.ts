import { cachedBy } from '../../lib/made-once.js'

/** In the order of their first use. Steps and profiles share parts: the requests of probes occur in hundreds of rows. */
export const variablesIn = cachedBy((part: object): ReadonlySet<string> => {
  const text = JSON.stringify(part)
  return new Set(text.includes('${') ? [...text.matchAll(/\$\{([\w.-]+)\}/g)].map(([, name = '']) => name) : [])
})
