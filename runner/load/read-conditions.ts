import type { Condition } from '../suite/suite.js'
import { type Entry, textOf } from './located.js'

export const readCondition = ({ name, key, value }: Entry): Condition => ({ name, meaning: textOf(value), place: key })
