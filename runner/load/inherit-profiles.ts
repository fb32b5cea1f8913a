import { omitUndefined } from '../../lib/omit-undefined.js'
import { suggestion } from '../../lib/suggest.js'
import type { Confidence } from '../../record/types/resolved-row.js'
import type {
  Divergence,
  Format,
  Listed,
  PermittedResponse,
  Profile,
  ResponsePattern,
  RowFact,
  SituationFact,
} from '../suite/suite.js'
import type { Reference } from '../yaml/check-shape.js'
import type { FindingList } from '../yaml/findings.js'
import type { ProfileText } from './read-profiles.js'
import { lineageOf, type Reading } from './reading.js'

/** Reports cycles, missing outcomes, and unknown divergences and codes. Omits profiles without both outcomes. */
export function inheritProfiles(
  texts: ReadonlyMap<string, ProfileText>,
  { findings, references }: Pick<Reading, 'findings' | 'references'>,
): Map<string, Profile> {
  const complete = new Map<string, Profile>()
  for (const text of texts.values()) {
    const lineage = lineageOf(
      text,
      (one) => one.extends,
      texts,
      (cycle) => findings.add(text.location, `profiles extend each other in a cycle: ${cycle}`),
    )
    const own = references.filter(({ location }) => location.file === text.location.file)
    const profile = lineage && combine(text, lineage, own, findings)
    if (profile) complete.set(text.name, profile)
  }
  return complete
}

/** `references`: those of its file. */
function combine(
  text: ProfileText,
  lineage: readonly ProfileText[],
  references: readonly Reference[],
  findings: FindingList,
): Profile | undefined {
  const { name, title, line, location } = text
  const accepted = lineage.findLast((one) => one.accepted)
  const refused = lineage.findLast((one) => one.refused)
  const divergences = divergencesOf(lineage)
  const codes = new Map(lineage.flatMap((one) => [...one.codes].map(([code, { pattern }]) => [code, pattern] as const)))
  const ofKind = (wanted: string): Reference[] => references.filter(({ kind }) => kind === wanted)
  reportUnknown(ofKind('divergence'), 'divergence', [...divergences.keys()], findings)
  // Otherwise situations define their codes completely.
  if (codes.size > 0) reportUnknown(text.namedCodes, 'code', [...codes.keys()], findings)
  reportUnknown(ofKind('inherited fact'), 'inherited fact', inheritedNames(lineage), findings)
  if (!accepted?.accepted || !refused?.refused) {
    const missing = [...(accepted ? [] : ['accepted']), ...(refused ? [] : ['refused'])].join(' and ')
    // Reported once, for the root profile.
    if (lineage.length === 1) {
      const message = `the profile "${name}" does not define ${missing}`
      findings.add(location, message, 'define it here, or extend a profile that defines it')
    }
    return undefined
  }
  return {
    name,
    title,
    ...(line !== undefined && { line }),
    basis: lineage.findLast((one) => one.basis)?.basis ?? 'text',
    ...omitUndefined({ statusesBy: lineage.findLast((one) => one.statusesBy)?.statusesBy }),
    accepted: { ...accepted.accepted, confidence: confidenceIn(accepted, lineage, 'accepted') },
    refused: { ...refused.refused, confidence: confidenceIn(refused, lineage, 'refused') },
    ...situationsOf(lineage, (pattern) => complete(pattern, codes, refused.refused?.status ?? ['4xx'])),
    formats: formatsOf(lineage),
    codes,
    divergences: [...divergences.values()],
    location,
  }
}

const inheritedNames = (lineage: readonly ProfileText[]): string[] => [
  'accepted',
  'refused',
  ...lineage.flatMap(({ situations, formats, divergences }) => [
    ...situations.keys(),
    ...formats.keys(),
    ...divergences.map(({ id }) => id),
  ]),
]

function reportUnknown(named: readonly Listed[], what: string, known: readonly string[], findings: FindingList): void {
  for (const { name, location } of named) {
    if (!known.includes(name)) findings.add(location, `unknown ${what} "${name}"`, suggestion(name, known))
  }
}

function complete(
  pattern: PermittedResponse,
  codes: ReadonlyMap<string, ResponsePattern>,
  status: string[],
): PermittedResponse {
  const { name, outcome, ...own } = pattern
  if (Object.keys(own).length === 0) return pattern
  const common = own.code === undefined ? undefined : codes.get(own.code)
  // Only JSON bodies have a code.
  return { name, outcome, status, ...(common && { mediaType: 'application/json', ...common }), ...own }
}

/** Below a profile read from source code, observations count as read. */
function asIn<Fact extends SituationFact | Divergence>(
  fact: Fact,
  name: string,
  from: ProfileText,
  lineage: readonly ProfileText[],
): Fact {
  if (fact.confidence === 'text' || !isReadIn(lineage.slice(lineage.indexOf(from) + 1), name)) return fact
  return { ...fact, confidence: 'read', source: `as ${from.name} (${fact.source})` }
}

const confidenceIn = (from: ProfileText, lineage: readonly ProfileText[], name: string): Confidence =>
  from.confidence === 'observed' && isReadIn(lineage, name) ? 'read' : from.confidence

const isReadIn = (profiles: readonly ProfileText[], name: string): boolean =>
  profiles.some(({ confidence, alsoObserved }) => confidence === 'read' && !alsoObserved?.includes(name))

function divergencesOf(lineage: readonly ProfileText[]): Map<string, Divergence> {
  return new Map(
    lineage.flatMap((one) =>
      one.divergences.map((divergence): [string, Divergence] => [
        divergence.id,
        asIn(divergence, divergence.id, one, lineage),
      ]),
    ),
  )
}

function situationsOf(
  lineage: readonly ProfileText[],
  completed: (pattern: PermittedResponse) => PermittedResponse,
): Pick<Profile, 'situations' | 'versions'> {
  const situations: Profile['situations'] = new Map()
  const versions: Profile['versions'] = new Map()
  for (const one of lineage) {
    const whole = <Fact extends RowFact>(fact: Fact): Fact => ({
      ...fact,
      alternatives: fact.alternatives.map(completed),
    })
    const inherited = ({ byRow, ...fact }: SituationFact): SituationFact =>
      asIn(
        { ...whole(fact), ...(byRow && { byRow: new Map([...byRow].map(([row, own]) => [row, whole(own)])) }) },
        fact.situation,
        one,
        lineage,
      )
    for (const [name, text] of one.situations) {
      situations.set(name, inherited(text.fact))
      versions.delete(name)
      const own = [...text.versions].map(([version, fact]): [number, SituationFact] => [version, inherited(fact)])
      if (own.length > 0) versions.set(name, new Map(own))
    }
  }
  return { situations, versions }
}

function formatsOf(lineage: readonly ProfileText[]): Map<string, Format> {
  const [root] = lineage
  return new Map(
    [...(root?.formats ?? [])].map(([name, text]): [string, Format] => {
      const owner = lineage.findLast(({ formats }) => formats.has(name))
      const confidence = owner ? confidenceIn(owner, lineage, name) : 'text'
      return [name, { matcher: owner?.formats.get(name) ?? text, text, confidence }]
    }),
  )
}
