/** What the header of a record says of suite and profile, so that a report can be read without either. */
import { printJson } from '../interface/json.js'
import type { RecordedCondition, RecordedVariables, RunHeader } from '../record/record.js'
import type { NamedOutcome, Profile, Suite } from './suite.js'
import type { Variables } from './variables.js'

/** Rules, conditions that the profile speaks of, and its divergences, in the words of the suite's files. */
export function recordedTexts(
  suite: Suite,
  profile: Profile,
): Required<Pick<RunHeader, 'rules' | 'conditions' | 'divergences'>> {
  return {
    rules: [...suite.rules.values()].map(({ id, statement, strength, section, untestable }) => ({
      ...{ id, statement, strength, section },
      ...(untestable !== undefined && { untestable }),
    })),
    conditions: [...suite.conditions.values()].map(({ name, meaning }) => ({ name, meaning, ...known(name, profile) })),
    divergences: profile.divergences.map(({ id, rule, statement, source }) => ({ id, rule, statement, source })),
  }
}

function known(name: string, { conditions }: Profile): Pick<RecordedCondition, 'accepted' | 'alternatives' | 'source'> {
  const found = conditions.get(name)
  if (!found) return { accepted: false, alternatives: [] }
  return { accepted: found.accepted, alternatives: found.alternatives.map(inWords), source: found.source }
}

function inWords({ name, status, mediaType, code, category, grpc, context, resources }: NamedOutcome): string {
  const entries = Object.entries(context ?? {}).map(([key, value]) => (value === null ? key : `${key} ${value}`))
  const parts = [
    status && `status ${status.join(' or ')}`,
    mediaType,
    code && `code ${code}`,
    category !== undefined && `category ${category}`,
    grpc !== undefined && `gRPC code ${grpc}`,
    entries.length > 0 && `context ${entries.join(', ')}`,
    resources && `resources ${resources.join(', ')}`,
  ]
  return `${name}: ${parts.filter((part) => typeof part === 'string').join(', ')}`
}

/** Variables as a record keeps them; those that `known` has as well are left out. */
export function recordedVariables(variables: Variables, known: Variables = new Map()): RecordedVariables {
  const own = [...variables].filter(([name, value]) => known.get(name) !== value)
  return Object.fromEntries(own.map(([name, value]) => [name, printJson(value)]))
}
