/** Values that rows of the suite send: valid, borderline, and of another kind. */
import { isOperationName } from '../../interface/operations.js'
import type { Data, RequestTemplate } from '../../record/types/resolved-row.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import { bodyMembers } from '../send/step.js'
import { variable } from './draft-step.js'

export interface SuiteValues {
  /** By operation and member of the body. */
  members: ReadonlyMap<string, ReadonlyMap<string, readonly Data[]>>
  /** By operation: requests of any form. Another body takes the place of a JSON body, which is null here. */
  forms: ReadonlyMap<string, readonly RequestTemplate[]>
  /** Arguments of `$alter`, for prepared transactions. */
  alterations: readonly Data[]
}

/** `variables`: those of each environment. */
export function valuesOf({ rows, fixtures }: ResolvedSuite, variables: ReadonlyMap<string, unknown>): SuiteValues {
  const known = new Set([...variables.keys(), 'row', 'user', 'begin'])
  const otherParties = new Set(fixtures.flatMap(({ name, party }) => (party && !known.has(name) ? [name] : [])))
  /** As JSON; empty if sequences cannot send the value. */
  const usable = (value: unknown): string[] => {
    const text = JSON.stringify(value).replace(/\$\{(\w+)\}/g, (whole, name: string) =>
      otherParties.has(name) ? variable('bob') : whole,
    )
    const isKnown = [...text.matchAll(/\$\{([\w.-]+)\}/g)].every(([, name = '']) => known.has(name))
    return isKnown && !unsafe.test(text) ? [text] : []
  }
  const members = new Map<string, Map<string, Set<string>>>()
  const forms = new Map<string, Set<string>>()
  const alterations = new Set<string>()
  // The requests of these rows can have lasting effects, and an exploration does not have their permission.
  const harmless = rows.filter(({ impact }) => impact !== 'hazard')
  for (const step of harmless.flatMap(({ steps }) => steps)) {
    const { operation, request } = step
    if (!isOperationName(operation)) continue
    const own = members.get(operation) ?? new Map<string, Set<string>>()
    members.set(operation, own)
    for (const [name, value] of Object.entries(bodyMembers(step))) {
      for (const text of usable(value)) own.set(name, (own.get(name) ?? new Set()).add(text))
      for (const changes of alterationsIn(value)) for (const text of usable(changes)) alterations.add(text)
    }
    for (const text of usable(formOf(request))) forms.set(operation, (forms.get(operation) ?? new Set()).add(text))
  }
  return {
    members: new Map([...members].map(([operation, own]) => [operation, mapValues(own, parsed)])),
    forms: mapValues(forms, (texts) => [...texts].map((text): RequestTemplate => JSON.parse(text))),
    alterations: parsed(alterations),
  }
}

function formOf({ body, ...form }: RequestTemplate): RequestTemplate {
  if (!body || !('json' in body)) return { ...form, ...(body && { body }) }
  const { written } = body
  return { ...form, body: { json: null, ...(written && { written }) } }
}

/** Large values; packages of other clients, whose vetting would not be restored; several requests in one. */
const unsafe = /"(?:times|depth|to)":\d{4,}|[0-9a-f]{64}|canton-builtin|"(?:before|expect)":/

function alterationsIn(data: Data): Data[] {
  if (typeof data !== 'object' || data === null) return []
  if (Array.isArray(data) || !('$alter' in data)) return Object.values(data).flatMap(alterationsIn)
  const { $alter: _, ...changes } = data
  return [changes]
}

const parsed = (texts: ReadonlySet<string>): Data[] => [...texts].map((text): Data => JSON.parse(text))

const mapValues = <V, W>(map: ReadonlyMap<string, V>, change: (value: V) => W): Map<string, W> =>
  new Map([...map].map(([name, value]) => [name, change(value)]))
