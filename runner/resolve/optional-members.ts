/** Under the text alone, a member without a sentence that requires it may be absent; expectations apply if it is present. */
import { type OperationName, operations } from '../../interface/operations.js'
import { optionalMembers } from '../../interface/optional-members.js'
import type { Check, Data, Matcher, ResolvedStep } from '../../record/types/resolved-row.js'
import type { Profile } from '../suite/suite.js'
import { isMap } from './formats.js'

type BodyCheck = Extract<Check, { on: 'body' }>

/** Marks the optional members in the check. */
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

/** The captured members that may be absent. */
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
  const isJudged = (name: string): name is OperationName => Object.hasOwn(operations, name)
  return basis === 'text' && isJudged(operation) ? operation : undefined
}

/** Marks optional members in nested matchers. */
function markOptional(operation: OperationName, pointer: string, matcher: Matcher): Matcher {
  const { each, every, some, at } = matcher
  const inner = (below: string, value: Data | undefined): Data =>
    isMap(value) ? { ...markOptional(operation, `${pointer}${below}`, value) } : (value ?? null)
  const member = (below: string, value: Data): Data => {
    const isOptional = optionalMembers(operation, `${pointer}${below}`).includes(`${pointer}${below}`)
    const found = inner(below, value)
    return isOptional && isMap(found) ? { ...found, optional: true } : found
  }
  return {
    ...matcher,
    ...(isMap(each) && { each: inner('/0', each) }),
    ...(isMap(every) && { every: inner('/0', every) }),
    ...(isMap(some) && { some: inner('/0', some) }),
    ...(isMap(at) && {
      at: Object.fromEntries(Object.entries(at).map(([below, value]) => [below, member(below, value)])),
    }),
  }
}
