import { type CamelCased, camelCased } from '../../lib/camel-case.js'
import type { Shapes } from '../suite/shapes.js'
import type { Divergence, Location, Matcher, ResponsePattern } from '../suite/suite.js'
import { dataOf, entriesOf, itemsOf, type Located, member } from '../yaml/located.js'
import { readMatchers } from './read-matcher.js'
import { patternOf } from './read-response-pattern.js'
import {
  codesNamedIn,
  divergencesNamedIn,
  type FactDefaults,
  type Named,
  originOf,
  readSituationFact,
  type SituationText,
} from './read-situation-facts.js'
import { addUnique, type Reading, refer } from './reading.js'
import { usesIn } from './variable-flow.js'

type Read = 'profile' | 'accepted' | 'refused' | 'formats' | 'codes' | 'situations' | 'divergences'

export interface ProfileText extends Omit<CamelCased<Shapes['profile']>, Read> {
  name: string
  accepted?: ResponsePattern
  refused?: ResponsePattern
  formats: Map<string, Matcher>
  codes: Map<string, { pattern: ResponsePattern; location: Location }>
  situations: Map<string, SituationText>
  divergences: Divergence[]
  named: { divergences: Named[]; codes: Named[]; alsoObserved: Named[] }
  location: Location
}

export function readProfile(root: Located<Shapes['profile']>, reading: Reading): ProfileText {
  const {
    profile: name,
    accepted,
    refused,
    formats,
    codes,
    situations,
    divergences,
    ...plain
  } = camelCased(dataOf(root))
  const facts = entriesOf(member(root, 'situations'))
  refer(reading, 'profile', member(root, 'extends'))
  return {
    ...plain,
    name,
    ...(accepted && { accepted: patternOf(accepted) }),
    ...(refused && { refused: patternOf(refused) }),
    formats: readMatchers(member(root, 'formats'), reading),
    codes: new Map(
      entriesOf(member(root, 'codes')).map((code) => [
        code.name,
        { pattern: patternOf(dataOf(code.value)), location: code.key },
      ]),
    ),
    situations: new Map(facts.map((one) => [one.name, readSituationFact(one, plain, reading)])),
    divergences: readDivergences(member(root, 'divergences'), plain, reading),
    named: {
      divergences: facts.flatMap(({ value }) => divergencesNamedIn(value)),
      codes: facts.flatMap(({ value }) => codesNamedIn(value)),
      alsoObserved: itemsOf(member(root, 'also-observed')).map((item) => ({
        name: dataOf(item),
        location: item.location,
      })),
    },
    location: member(root, 'profile')?.location ?? root.location,
  }
}

function readDivergences(list: Located<Shapes['divergence'][]> | undefined, defaults: FactDefaults, reading: Reading) {
  const known = new Map<string, Divergence>()
  return itemsOf(list).map((node) => {
    const { location } = node
    refer(reading, 'rule', member(node, 'rule'))
    for (const situation of itemsOf(member(node, 'situations'))) refer(reading, 'situation', situation)
    reading.flows.push({ steps: [{ uses: [], captures: [], judging: usesIn(member(node, 'expect')) }] })
    const divergence: Divergence = {
      ...camelCased(dataOf(node)),
      ...originOf(node, defaults, location, reading),
      expect: readMatchers(member(node, 'expect'), reading),
      location,
    }
    addUnique(known, divergence.id, divergence, 'divergence', reading.findings)
    return divergence
  })
}
