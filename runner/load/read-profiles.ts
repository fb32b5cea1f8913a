/** Reads profile files. */
import type { Divergence, Location, Matcher, Profile, ResponsePattern } from '../suite/suite.js'
import {
  entriesOf,
  itemsOf,
  type Located,
  member,
  omitUndefined,
  optionalNumber,
  optionalText,
  textAt,
} from '../yaml/located.js'
import { readMatchers } from './read-matcher.js'
import { readResponsePattern } from './read-response-pattern.js'
import {
  codesNamedIn,
  confidenceOf,
  divergencesNamedIn,
  type FactDefaults,
  type Named,
  originOf,
  readSituationFact,
  type SituationText,
} from './read-situation-facts.js'
import { addUnique, type Reading, refer } from './reading.js'
import { usesIn } from './variable-flow.js'

/** The content of one file, without inherited facts. */
export interface ProfileText extends FactDefaults {
  name: string
  title: string
  line?: string
  extends?: string
  basis?: Profile['basis']
  statusesBy?: string
  accepted?: ResponsePattern
  refused?: ResponsePattern
  formats: Map<string, Matcher>
  /** Common properties of the rejections with a code. */
  codes: Map<string, { pattern: ResponsePattern; location: Location }>
  situations: Map<string, SituationText>
  divergences: Divergence[]
  /** Divergences and codes that its situations name. */
  named: { divergences: Named[]; codes: Named[] }
  location: Location
}

export function readProfile(root: Located, reading: Reading): ProfileText {
  const accepted = member(root, 'accepted')
  const refused = member(root, 'refused')
  const situations = entriesOf(member(root, 'situations'))
  const defaults: FactDefaults = {
    confidence: confidenceOf(root) ?? 'text', // required by schema
    ...omitUndefined({ source: optionalText(root, 'source') }),
  }
  return {
    ...defaults,
    name: textAt(root, 'profile'),
    title: textAt(root, 'title'),
    ...omitUndefined({
      line: optionalText(root, 'line'),
      extends: refer(reading, 'profile', member(root, 'extends')),
      basis: optionalText(root, 'basis') as Profile['basis'] | undefined, // by schema
      statusesBy: optionalText(root, 'statuses-by'),
      accepted: accepted && readResponsePattern(accepted),
      refused: refused && readResponsePattern(refused),
    }),
    formats: readMatchers(member(root, 'formats'), reading),
    codes: new Map(
      entriesOf(member(root, 'codes')).map(({ name, key, value }) => [
        name,
        { pattern: readResponsePattern(value), location: key },
      ]),
    ),
    situations: new Map(situations.map((one) => [one.name, readSituationFact(one, defaults, reading)])),
    divergences: readDivergences(itemsOf(member(root, 'divergences')), defaults, reading),
    named: {
      divergences: situations.flatMap(({ value }) => divergencesNamedIn(value)),
      codes: situations.flatMap(({ value }) => codesNamedIn(value)),
    },
    location: member(root, 'profile')?.location ?? root.location,
  }
}

function situationsOf(node: Located, reading: Reading): string[] | undefined {
  const listed = member(node, 'situations')
  return listed && itemsOf(listed).map((item) => refer(reading, 'situation', item))
}

function readDivergences(nodes: readonly Located[], defaults: FactDefaults, reading: Reading): Divergence[] {
  const known = new Map<string, Divergence>()
  return nodes.map((node) => {
    const id = textAt(node, 'id')
    const rule = member(node, 'rule')
    if (rule) refer(reading, 'rule', rule)
    reading.flows.push({ steps: [{ uses: [], captures: [], judging: usesIn(member(node, 'expect')) }] })
    const divergence: Divergence = {
      id,
      rule: textAt(node, 'rule'),
      statement: textAt(node, 'statement'),
      ...originOf(node, defaults, node.location, reading),
      ...omitUndefined({
        protocolVersion: optionalNumber(node, 'protocol-version'),
        situations: situationsOf(node, reading),
      }),
      expect: readMatchers(member(node, 'expect'), reading),
      location: node.location,
    }
    addUnique(known, id, divergence, 'divergence', reading.findings)
    return divergence
  })
}
