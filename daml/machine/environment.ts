import type { Value } from './values.js'

/** What variables stand for: the innermost first. */
export class Environment {
  readonly name: string
  readonly value: Value
  readonly outer: Environment | undefined

  constructor(name: string, value: Value, outer: Environment | undefined) {
    this.name = name
    this.value = value
    this.outer = outer
  }
}

/** Undefined: no variable of that name is known there. */
export function lookUp(name: string, environment: Environment | undefined): Value | undefined {
  let place = environment
  while (place !== undefined) {
    if (place.name === name) return place.value
    place = place.outer
  }
  return undefined
}
