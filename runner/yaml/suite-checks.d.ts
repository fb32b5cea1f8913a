/** Checks of suite files by their kinds. scripts/build-checks.mjs writes them from the JSON Schemas. */
import type { ErrorObject } from 'ajv'

interface Check {
  (value: unknown): boolean
  /** What was wrong with the last value. */
  errors?: ErrorObject[] | null
}

export const suite: Check
export const outline: Check
export const rules: Check
export const situations: Check
export const profile: Check
export const requests: Check
export const sequences: Check
export const actors: Check
export const fixtures: Check
export const probes: Check
export const cases: Check
export const target: Check
export const waivers: Check
