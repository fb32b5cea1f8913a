import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import { expectationsOf } from '../../record/judgements/references.js'
import type { Judgement } from '../../record/types/record.js'
import type { Check, ResolvedStep } from '../../record/types/resolved-row.js'

const variable = /\$\{([\w.-]+)\}/g

/**
 * What the expected value of an unmet judgement is: `/updateId in the answer of step first`, or `contractId of the fixture
 * ping`. Empty if the expectation is a constant.
 */
export function relationsOf(judgement: Judgement, { steps }: { steps: readonly ResolvedStep[] }): string[] {
  const step = steps[judgement.step]
  const expectation = step && expectationsOf(step)[judgement.expectation ?? -1]
  if (!step || !expectation) return []
  const wanted = expectation.anyOf.flatMap(({ checks }) => checks.flatMap((check) => wantedBy(check, judgement)))
  const names = new Set([...JSON.stringify(wanted).matchAll(variable)].flatMap(([, name]) => name ?? []))
  return [...names].flatMap((name) => originOf(name, steps.slice(0, judgement.step + 1)) ?? [])
}

function wantedBy(check: Check, { pointer }: Judgement): JsonValue[] {
  if (check.on === 'header') return [check.matcher]
  if (check.on !== 'body') return []
  const place = pointer ?? check.pointer
  return isWithin(place, check.pointer) ? wantedAt(check.matcher, place.slice(check.pointer.length)) : []
}

const isWithin = (pointer: string, outer: string): boolean => pointer === outer || pointer.startsWith(`${outer}/`)

/** A judgement can concern a member of the value that the matcher judges. */
function wantedAt(matcher: JsonValue | undefined, pointer: string): JsonValue[] {
  if (!isJsonObject(matcher)) return []
  if (pointer === '') return [matcher]
  const { equals, includes, at, each, every, some } = matcher
  const ofItem = pointer.replace(/^\/\d+/, '')
  return [
    ...[equals, includes].flatMap((data) => (data === undefined ? [] : (valueAt(data, pointer) ?? []))),
    ...Object.entries(isJsonObject(at) ? at : {}).flatMap(([outer, inner]) =>
      isWithin(pointer, outer) ? wantedAt(inner, pointer.slice(outer.length)) : [],
    ),
    ...(ofItem === pointer ? [] : [each, every, some].flatMap((inner) => wantedAt(inner, ofItem))),
  ]
}

function originOf(name: string, steps: readonly ResolvedStep[]): string | undefined {
  const captured = steps.findLast(({ capture }) => Object.hasOwn(capture, name))
  if (captured) return `${captured.capture[name] || 'the whole body'} in the answer of step ${captured.name}`
  const [fixture = '', ...members] = name.split('.')
  return members.length === 0 ? undefined : `${members.join('.')} of the fixture ${fixture}`
}
