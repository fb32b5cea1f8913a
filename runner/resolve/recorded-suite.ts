import { pathForOthers } from '../../lib/files/paths.js'
import type {
  RecordedProfile,
  RecordedRule,
  RecordedSituation,
  RecordedText,
  UnruledPassage,
} from '../../record/types/record.js'
import type { PassageName, PermittedResponse, Profile, Suite } from '../suite/suite.js'
import { basisOf } from './scope.js'

export function recordedRules({ rules, outline }: Suite): RecordedRule[] {
  const shown = passageNames(outline)
  return [...rules.values()].map(({ id, statement, strength, section, passages, factOf, operations, untestable }) => ({
    id,
    statement,
    strength,
    section,
    ...(passages.length > 0 && { passages: passages.map(shown) }),
    ...(factOf !== undefined && { factOf }),
    ...(operations.length > 0 && { operations: [...operations] }),
    ...(untestable !== undefined && { untestable }),
  }))
}

/** `ContractByIdRequest 4.2 (contractId required)`. */
function passageNames(outline: Suite['outline']): (passage: PassageName) => string {
  const ordinals = new Map(
    outline.flatMap(({ name: section, passages }, first) =>
      passages.map(({ name }, second): [string, string] => [`${section} > ${name}`, `${first + 1}.${second + 1}`]),
    ),
  )
  return ({ section, name }) => {
    const ordinal = ordinals.get(`${section} > ${name}`)
    return ordinal === undefined ? `${section} (${name})` : `${section} ${ordinal} (${name})`
  }
}

/** With the passages that no rule quotes, so that a report can show the whole outline. */
export function recordedText({ text, rules, unspecified, outline }: Suite): RecordedText | undefined {
  if (!text) return undefined
  const shown = passageNames(outline)
  const ruled = new Set([...rules.values()].flatMap(({ passages }) => passages.map(shown)))
  const questions = new Map(
    [...unspecified.values()].flatMap(({ passages, question }) =>
      passages.map((passage): [string, string] => [shown(passage), question]),
    ),
  )
  const unruled = outline.flatMap(({ name: section, passages, withoutRule }) =>
    passages.flatMap(({ name }): UnruledPassage[] => {
      const passage = shown({ section, name })
      if (ruled.has(passage)) return []
      const question = questions.get(passage)
      return question === undefined
        ? [{ passage, because: withoutRule.get(name)?.reason ?? 'no obligation' }]
        : [{ passage, because: question, open: true }]
    }),
  )
  return { ...text, ...(unruled.length > 0 && { unruled }) }
}

export function recordedProfile(profile: Profile, { situations }: Suite): RecordedProfile {
  return {
    name: profile.name,
    title: profile.title,
    ...(profile.file && { file: { path: pathForOthers(profile.file.path), text: profile.file.text } }),
    ...(profile.basis === 'text' && { basis: profile.basis }),
    situations: [...situations.values()].map(({ name, meaning }) => ({ name, meaning, ...known(name, profile) })),
    divergences: profile.divergences.map(({ id, rule, statement, ...fact }) => ({
      id,
      rule,
      statement,
      source: basisOf(fact),
    })),
  }
}

function known(name: string, { situations, refused }: Profile): Omit<RecordedSituation, 'name' | 'meaning'> {
  const fact = situations.get(name)
  if (!fact) return { outcome: 'refused', alternatives: [], confidence: refused.confidence }
  const outcomes = new Set(fact.alternatives.map(({ outcome }) => outcome))
  const [only = 'refused'] = outcomes
  return {
    outcome: outcomes.size > 1 ? 'either' : only,
    alternatives: fact.alternatives.map(describe),
    confidence: fact.confidence,
    source: basisOf(fact),
  }
}

function describe({ name, outcome, ...pattern }: PermittedResponse): string {
  const { status, mediaType, code, category, grpc, context, resources, retry, mentions, namesHash } = pattern
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
  const present = parts.filter((part) => typeof part === 'string')
  return `${name}: ${present.length > 0 ? present.join(', ') : outcome}`
}
