import type { Location } from '../suite/suite.js'
import type { Located } from '../yaml/located.js'

/** A `${variable}` in a text, and where the text stands. */
export interface Use {
  name: string
  location: Location
}

/** Steps in the order in which they are sent. */
export interface VariableFlow {
  steps: FlowStep[]
  /** The fixture that is made by them. */
  fixture?: string
  /** The probe whose first steps come before. */
  probe?: string
  /** These are the steps of this very probe. */
  ofProbe?: string
}

export interface FlowStep {
  /** The base request, whose own variables must be known too; undefined where the step replaces its body. */
  request?: Use
  /** What is needed to send the step. */
  uses: Use[]
  /** It is sent several times at once, and knows which time it is. */
  repeated?: true
  captures: Use[]
  /** What is needed to judge it: what it captured itself may be among it. */
  judging: Use[]
}

const variable = /\$\{([^{}]*)\}/g

/** All variables in a value, names of members included. */
export function usesIn(node: Located | undefined): Use[] {
  if (!node) return []
  const { content, location } = node
  if (typeof content === 'string') return usesInText(content, location)
  if (Array.isArray(content)) return content.flatMap(usesIn)
  if (!(content instanceof Map)) return []
  return [...content.values()].flatMap(({ name, key, value }) => [...usesInText(name, key), ...usesIn(value)])
}

function usesInText(text: string, location: Location): Use[] {
  return [...text.matchAll(variable)].map(([, name = '']) => ({ name, location }))
}
