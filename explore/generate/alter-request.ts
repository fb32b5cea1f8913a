import { type Arbitrary, constant, constantFrom, oneof } from 'fast-check'
import { pointerPart } from '../../lib/json/pointer.js'
import type { Step } from '../../record/types/exploration.js'
import type { Data, TokenTemplate } from '../../record/types/resolved-row.js'
import { removeAt, setAt } from '../../runner/template/pointer.js'
import { bodyMembers, bodyOfStep } from '../send/step.js'
import { chance, type Draw } from './draw.js'
import type { SuiteValues } from './suite-values.js'

interface Place {
  /** A JSON pointer. */
  pointer: string
  value: Data
}

/** All places in the data, except inside generated values (`$sign` and others). */
export function placesIn(data: Data, pointer = ''): Place[] {
  if (typeof data !== 'object' || data === null) return []
  const entries = Object.entries(data)
  if (entries.some(([name]) => name.startsWith('$') && !name.startsWith('${'))) return []
  return entries.flatMap(([name, value]) => {
    const place = { pointer: `${pointer}/${pointerPart(name)}`, value }
    return [place, ...placesIn(value, place.pointer)]
  })
}

/** A copy; undefined removes the value. */
export const replacedAt = (data: Data, pointer: string, value: Data | undefined): Data =>
  value === undefined ? removeAt(data, pointer) : setAt(data, pointer, value)

const ofAnyKind: Arbitrary<Data> = constantFrom<Data[]>(null, 0, 7, -1, true, '', 'x', [], {}, [{}], [null], { x: 1 })

const numbers: Arbitrary<Data> = constantFrom<Data[]>(
  -1,
  0,
  1,
  2147483647,
  { $number: '2147483648' },
  { $number: '9223372036854775807' },
  { $number: '9223372036854775808' },
  { $number: '1.5' },
  { $number: '3.0' },
  { $number: '1e2' },
  '3',
  'three',
)

const stringsLike = (text: string): Arbitrary<Data> =>
  constantFrom<Data[]>(
    `${text} `,
    ` ${text}`,
    `${text}!`,
    `${text}ü`,
    `${text}\u0000`,
    text.startsWith('$') ? { '$flip-digit': text } : text.slice(1),
    text.startsWith('$') ? { '$upper-case': text } : text.slice(0, -1),
    `${text}:x`,
    'x'.repeat(255),
    'x'.repeat(256),
    'a/b:c_d-e.f#g h',
  )

const arraysLike = (items: Data[]): Arbitrary<Data> =>
  oneof(
    constantFrom<Data[]>([...items].reverse(), [...items, ...items], [], items.slice(1), items[0] ?? {}),
    ofAnyKind.map((item) => [...items, item]),
  )

const objectsLike = (members: { [name: string]: Data }): Arbitrary<Data> =>
  oneof(
    constantFrom<Data[]>([members], JSON.stringify(members)),
    ofAnyKind.map((surplus) => ({ ...members, surplus })),
  )

/** Undefined removes the value. */
function alteredValue(value: Data): Arbitrary<Data | undefined> {
  const others: Arbitrary<Data | undefined> = oneof(constant(undefined), ofAnyKind)
  if (typeof value === 'string') return oneof(others, stringsLike(value), constantFrom<Data[]>([value], { value }))
  if (typeof value === 'number') return oneof(others, numbers, constantFrom<Data[]>([value], String(value)))
  if (Array.isArray(value)) return oneof(others, arraysLike(value))
  if (typeof value === 'object' && value !== null) return oneof(others, objectsLike(value))
  return oneof(others, constantFrom<Data[]>([value], String(value)))
}

export function alterField(step: Step, draw: Draw, values: SuiteValues): Step {
  const body = bodyOfStep(step)
  if (body === undefined) return step
  const members = [...(values.members.get(step.operation) ?? [])]
  if (members.length > 0 && draw(chance(40))) {
    const [name, known] = draw(constantFrom(...members))
    const value = draw(constantFrom(...known))
    return withBody(step, `${name} altered`, { json: { ...bodyMembers(step), [name]: value } })
  }
  const places = placesIn(body)
  if (places.length === 0) return step
  const { pointer, value } = draw(constantFrom(...places))
  const json = replacedAt(body, pointer, draw(alteredValue(value)))
  return withBody(step, `${pointer.slice(1)} altered`, { json })
}

const withBody = (step: Step, change: string, body: NonNullable<Step['request']['body']>): Step => ({
  ...step,
  about: `${step.about}; ${change}`,
  request: { ...step.request, body },
})

/** Method, path, headers, encoding or JSON syntax of a row; its JSON bodies are replaced. */
export function alterForm(step: Step, draw: Draw, values: SuiteValues): Step {
  const forms = values.forms.get(step.operation) ?? []
  if (forms.length === 0) return step
  const { body, ...form } = draw(constantFrom(...forms))
  const json = bodyOfStep(step) ?? {}
  const sent = body && 'json' in body ? { ...body, json } : body
  return { ...step, about: `${step.about}; form altered`, request: { ...form, ...(sent && { body: sent }) } }
}

export interface Callers {
  actors: readonly string[]
  tokens: readonly TokenTemplate[]
}

export function alterCaller(step: Step, draw: Draw, { actors, tokens }: Callers): Step {
  if (tokens.length > 0 && draw(chance(40))) {
    const token = draw(constantFrom(...tokens))
    return { ...step, about: `${step.about}; with ${token.meaning}`, token }
  }
  const actor = draw(constantFrom(...actors))
  return { ...step, about: `${step.about}; as ${actor}`, actor }
}
