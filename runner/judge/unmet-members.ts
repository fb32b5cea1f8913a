/** The members of an object or array that differ from what its matcher requires. */
import { groupBy } from '../../lib/group-by.js'
import { excerpt, isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import { pointerPart } from '../../lib/json/pointer.js'
import type { MatcherName } from '../../record/types/resolved-row.js'
import { valueAt } from '../template/pointer.js'
import { isMatcherName, isMet, mayBeAbsent } from './matchers.js'

export interface UnmetMember {
  /** Below the value that the matcher judges. */
  pointer: string
  check: MatcherName
  wanted: string[]
  found: string[]
}

/** A report of more members is longer than the body itself. */
const mostMembers = 3
/** A target can nest values deeper than the stack. */
const deepest = 30

/** For an unmet matcher. Never empty: without a differing member, the value itself. */
export function unmetMembers(name: MatcherName, wanted: JsonValue, actual: JsonValue | undefined): UnmetMember[] {
  const whole: Part = { pointer: '', name, wanted, actual }
  const parts = leavesOf(whole).filter((part) => !isPartMet(part))
  const unmet = [...groupBy(parts, ({ pointer }) => pointer).values()].flatMap(([first]) => first ?? [])
  return (unmet.length > 0 ? unmet.slice(0, mostMembers) : [whole]).map((part) => ({
    pointer: part.pointer,
    check: part.name,
    wanted: shownWanted(part.name, part.wanted),
    found: shown(part.actual),
  }))
}

/** JSON text. Empty: nothing. */
export const shown = (value: JsonValue | undefined): string[] => (value === undefined ? [] : [excerpt(value, 300)])

export function shownWanted(name: MatcherName, wanted: JsonValue): string[] {
  if (name !== 'same-items' || !isJsonObject(wanted)) return shown(wanted)
  return [...shown(wanted['as']), String(wanted['by'])]
}

/** A part of a matcher, with the part of the value that it judges. */
interface Part {
  pointer: string
  name: MatcherName
  wanted: JsonValue
  actual: JsonValue | undefined
}

const isPartMet = ({ name, wanted, actual }: Part): boolean => isMet(name, wanted, actual)

function leavesOf(part: Part, depth = 0): Part[] {
  const parts = depth < deepest ? partsOf(part) : []
  return parts.length === 0 ? [part] : parts.flatMap((inner) => leavesOf(inner, depth + 1))
}

/** Empty if the value has no parts that the matcher judges separately. */
function partsOf(part: Part): Part[] {
  const { name, wanted, actual } = part
  if (name === 'equals') return equalParts(part)
  if (name === 'includes') return isJsonObject(wanted) ? includedParts(part, wanted) : equalParts(part)
  if (!isJsonObject(wanted)) return []
  if (name === 'at') return isContainer(actual) ? pointerParts(part, wanted) : []
  if (name === 'some') return nearestItem(itemsOf(part, wanted))
  return name === 'each' || name === 'every' ? itemsOf(part, wanted).flat() : []
}

const isContainer = (value: JsonValue | undefined): boolean => Array.isArray(value) || isJsonObject(value)

function equalParts({ pointer, wanted, actual }: Part): Part[] {
  // An additional item shifts all items after it.
  const isAlike = Array.isArray(wanted)
    ? Array.isArray(actual) && actual.length === wanted.length
    : isJsonObject(wanted) && isJsonObject(actual)
  if (!isAlike) return []
  const [left, right] = [membersOf(wanted), membersOf(actual)]
  return [...new Set([...left.keys(), ...right.keys()])].map((member) => {
    const own = left.get(member)
    const found = { pointer: `${pointer}/${pointerPart(member)}`, actual: right.get(member) }
    return own === undefined ? { ...found, name: 'present', wanted: false } : { ...found, name: 'equals', wanted: own }
  })
}

const membersOf = (value: JsonValue | undefined): Map<string, JsonValue> =>
  new Map(
    Array.isArray(value)
      ? value.map((item, index) => [String(index), item])
      : Object.entries(isJsonObject(value) ? value : {}),
  )

function includedParts({ pointer, actual }: Part, wanted: JsonObject): Part[] {
  if (!isJsonObject(actual)) return []
  const found = membersOf(actual)
  return Object.entries(wanted).map(([member, item]) => ({
    pointer: `${pointer}/${pointerPart(member)}`,
    name: isJsonObject(item) ? 'includes' : 'equals',
    wanted: item,
    actual: found.get(member),
  }))
}

const pointerParts = ({ pointer, actual }: Part, wanted: JsonObject): Part[] =>
  Object.entries(wanted).flatMap(([below, matcher]) =>
    matcherParts(matcher, `${pointer}${below}`, valueAt(actual, below)),
  )

/** The parts of each item. */
const itemsOf = ({ pointer, actual }: Part, wanted: JsonObject): Part[][] =>
  Array.isArray(actual) ? actual.map((item, index) => matcherParts(wanted, `${pointer}/${index}`, item)) : []

function matcherParts(matcher: JsonValue, pointer: string, actual: JsonValue | undefined): Part[] {
  if (!isJsonObject(matcher) || mayBeAbsent(matcher['optional'], actual)) return []
  return Object.entries(matcher).flatMap(([name, wanted]) =>
    isMatcherName(name) ? [{ pointer, name, wanted, actual }] : [],
  )
}

/** The only item with the most met parts, such as the one with the required id. Empty if no item stands out. */
function nearestItem(items: readonly Part[][]): Part[] {
  const scored = items.map((parts) => ({
    parts,
    met: parts.flatMap((part) => leavesOf(part)).filter(isPartMet).length,
  }))
  const most = Math.max(0, ...scored.map(({ met }) => met))
  const [nearest, ...others] = scored.filter(({ met }) => met === most && most > 0)
  return nearest && others.length === 0 ? nearest.parts : []
}
