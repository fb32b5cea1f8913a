/** Under the text alone, a member without a sentence that requires it may be absent. */
import { isOperationName, type OperationName } from '../../interface/operations.js'
import { optionalMembers } from '../../interface/optional-members.js'
import { isJsonObject } from '../../lib/json/json.js'
import type { Check, Data, Matcher, ResolvedStep } from '../../record/types/resolved-row.js'
import type { Profile } from '../suite/suite.js'

type BodyCheck = Extract<Check, { on: 'body' }>

export function withoutOptional(operation: string, check: BodyCheck, profile: Pick<Profile, 'basis'>): BodyCheck {
  const { pointer, matcher } = check
  const judged = judgedByText(operation, profile)
  if (!judged) return check
  const optional = optionalMembers(judged, pointer)
  return {
    ...check,
    matcher: markOptional(judged, pointer, matcher),
    ...(optional.length > 0 && { optional: [...optional] }),
  }
}

export function mayLack(
  operation: string,
  pointers: readonly string[],
  profile: Pick<Profile, 'basis'>,
): Pick<ResolvedStep, 'mayLack'> {
  const judged = judgedByText(operation, profile)
  const found = judged ? new Set(pointers.flatMap((pointer) => optionalMembers(judged, pointer))) : new Set<string>()
  return found.size > 0 ? { mayLack: [...found] } : {}
}

function judgedByText(operation: string, { basis }: Pick<Profile, 'basis'>): OperationName | undefined {
  return basis === 'text' && isOperationName(operation) ? operation : undefined
}

function markOptional(operation: OperationName, pointer: string, matcher: Matcher): Matcher {
  const { each, every, some, at } = matcher
  const inner = (below: string, value: Data | undefined): Data =>
    isJsonObject(value) ? { ...markOptional(operation, `${pointer}${below}`, value) } : (value ?? null)
  const member = (below: string, value: Data): Data => {
    const isOptional = optionalMembers(operation, `${pointer}${below}`).includes(`${pointer}${below}`)
    const found = inner(below, value)
    return isOptional && isJsonObject(found) ? { ...found, optional: true } : found
  }
  return {
    ...matcher,
    ...(isJsonObject(each) && { each: inner('/0', each) }),
    ...(isJsonObject(every) && { every: inner('/0', every) }),
    ...(isJsonObject(some) && { some: inner('/0', some) }),
    ...(isJsonObject(at) && {
      at: Object.fromEntries(Object.entries(at).map(([below, value]) => [below, member(below, value)])),
    }),
  }
}
