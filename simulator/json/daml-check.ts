import { type DamlType, partsOf } from '../../daml/schema/schema.js'
import type { DamlValue } from '../../interface/daml-value.js'
import { grammars, violation } from '../../interface/grammars.js'
import { isInstant } from '../../lib/json/instant.js'
import { readNumeric } from './daml-number.js'

export interface CheckedLater {
  /** Finds the problem. */
  layer: 'request' | 'preprocessing'
  message: string
}

/** The first problem of each layer, in the order of the reference 3.5.10. */
export function checkDaml(type: DamlType, value: DamlValue): CheckedLater[] {
  const found = [...problems(type, value)]
  return (['request', 'preprocessing'] as const).flatMap(
    (layer) => found.find((problem) => problem.layer === layer) ?? [],
  )
}

const inRequest = (message: string): CheckedLater => ({ layer: 'request', message })
const inPreprocessing = (message: string): CheckedLater => ({ layer: 'preprocessing', message })

/** Nested composite values. */
const mostLevels = 100

function* problems(type: DamlType, value: DamlValue, level = 0): Generator<CheckedLater> {
  if (level >= mostLevels && isComposite(value)) {
    yield inPreprocessing(tooDeep)
    return
  }
  const problem = scalarProblem(type, value)
  if (problem) yield problem
  for (const [of, part] of partsOf(type, value)) yield* problems(of, part, level + 1)
}

export const tooDeep = `Provided value exceeds maximum nesting level of ${mostLevels}`

const isComposite = ({ kind }: DamlValue): boolean =>
  ['optional', 'list', 'textMap', 'genMap', 'record', 'variant', 'enum'].includes(kind)

function scalarProblem(type: DamlType, value: DamlValue): CheckedLater | undefined {
  switch (value.kind) {
    case 'text':
      return textProblem(value.value)
    case 'party': {
      const problem = violation(grammars.partyId, value.value)
      return problem === undefined ? undefined : inRequest(problem)
    }
    case 'contractId':
      return contractIdProblem(value.value)
    case 'numeric':
      return type.type === 'numeric' ? numericProblem(value.value, type.scale) : undefined
    case 'date':
      return value.value >= firstDay && value.value <= lastDay
        ? undefined
        : inRequest(`out of bound Date ${value.value}`)
    case 'timestamp':
      return isInstant(value.value) ? undefined : inRequest(`out of bound Timestamp ${value.value}`)
    default:
      return undefined
  }
}

/** The years 1 to 9999. */
const [firstDay, lastDay] = [-719_162, 2_932_896]

function textProblem(text: string): CheckedLater | undefined {
  const [fault] = /\0|\p{Surrogate}/u.exec(text) ?? []
  if (fault === undefined) return undefined
  if (fault === '\0') return inPreprocessing('Text contains null character')
  return inPreprocessing(`Text contains unpaired ${fault < '\udc00' ? 'high' : 'low'} surrogate`)
}

function contractIdProblem(id: string): CheckedLater | undefined {
  const problem = violation(grammars.contractId, id)
  if (problem !== undefined) return inRequest(problem)
  const version = id.startsWith('00') ? 1 : 2
  if (id.length > (version === 1 ? 66 : 26)) return undefined
  return inPreprocessing(`Illegal Contract ID "${id}", non-suffixed V${version} Contract IDs are forbidden`)
}

function numericProblem(text: string, scale: number): CheckedLater | undefined {
  const reading = readNumeric(text, scale)
  if (reading.refused === undefined) return undefined
  return reading.refused === 'unreadable' ? inRequest(reading.message) : inPreprocessing(reading.message)
}
