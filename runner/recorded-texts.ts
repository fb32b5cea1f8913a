/** What the header of a record says of suite and profile, so that a report can be read without either. */
import { printJson } from '../interface/json.js'
import type { RecordedCondition, RecordedVariables, RunHeader } from '../record/record.js'
import type { Divergence, NamedOutcome, Profile, Suite } from './suite/suite.js'
import type { Variables } from './template/variables.js'

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
    divergences: profile.divergences.map(({ id, rule, statement, ...known }) => ({
      ...{ id, rule, statement },
      source: sourceOf(known),
    })),
  }
}

function known(name: string, { conditions }: Profile): Pick<RecordedCondition, 'accepted' | 'alternatives' | 'source'> {
  const found = conditions.get(name)
  if (!found) return { accepted: false, alternatives: [] }
  return { accepted: found.accepted, alternatives: found.alternatives.map(inWords), source: sourceOf(found) }
}

/** `observed` is what suite files write for the participant that the profile was made from. */
function sourceOf({ source, confidence }: Pick<Divergence, 'source' | 'confidence'>): string {
  if (source === 'observed') return 'seen on a live participant'
  return confidence === 'read' ? `read, not seen: ${source}` : source
}

function inWords({ name, accepted, ...outcome }: NamedOutcome): string {
  if (accepted) return `${name}: accepted`
  const { status, mediaType, code, category, grpc, context, resources, retry, mentions, namesHash } = outcome
  const entries = Object.entries(context ?? {}).map(([key, value]) => (value === null ? key : `${key} ${value}`))
  const parts = [
    status && `status ${status.join(' or ')}`,
    mediaType,
    code && `code ${code}`,
    category !== undefined && `category ${category}`,
    grpc !== undefined && `gRPC code ${grpc}`,
    entries.length > 0 && `context ${entries.join(', ')}`,
    resources && `resources ${resources.join(', ')}`,
    typeof retry === 'string' && `retryInfo ${retry}`,
    mentions !== undefined && `a mention of ${mentions}`,
    namesHash && 'a mention of the hash to be signed',
  ]
  return `${name}: ${parts.filter((part) => typeof part === 'string').join(', ')}`
}

/** Variables as a record keeps them; those that `known` has as well are left out. */
export function recordedVariables(variables: Variables, known: Variables = new Map()): RecordedVariables {
  const own = [...variables].filter(([name, value]) => known.get(name) !== value)
  return Object.fromEntries(own.map(([name, value]) => [name, printJson(value)]))
}
