import { accepted, type Situation } from '../suite/suite.js'
import { type Entry, textOf } from './located.js'
import type { Reading } from './reading.js'

export function readSituation({ name, key, value }: Entry, { findings }: Reading): Situation {
  if (name === accepted) findings.add(key, `"${name}" is a built-in situation`, 'choose another name')
  return { name, meaning: textOf(value), location: key }
}
