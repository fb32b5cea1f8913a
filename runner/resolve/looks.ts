/** What a profile says of how answers look, as checks. */
import type { Alternative, Check } from '../../record/resolved-row.js'
import type { AnswerLook, Profile, SituationLook } from '../suite/suite.js'

/** Every member of the look as a check of its own. */
function checksOf(look: AnswerLook): Check[] {
  const { status, mediaType, code, category, grpc, context, retry, mentions, namesHash, resources } = look
  const members: [pointer: string, wanted: string | number | null | undefined][] = [
    ['/code', code],
    ['/errorCategory', category],
    ['/grpcCodeValue', grpc],
  ]
  return [
    ...(status ? [{ on: 'status', oneOf: status } as const] : []),
    ...(mediaType === undefined ? [] : [{ on: 'media-type', equals: mediaType } as const]),
    ...members.flatMap(([pointer, wanted]) => (wanted === undefined ? [] : [equal(pointer, wanted)])),
    ...Object.entries(context ?? {}).map(([name, wanted]) => contextCheck(name, wanted)),
    ...(retry === undefined ? [] : [equal('/retryInfo', retry)]),
    ...(mentions === undefined ? [] : [{ on: 'text', mentions } as const]),
    ...(namesHash ? [{ on: 'hash' } as const] : []),
    ...(resources ? [{ on: 'resources', kinds: resources } as const] : []),
  ]
}

const equal = (pointer: string, wanted: string | number | null): Check => ({
  on: 'body',
  pointer,
  matcher: { equals: wanted },
})

function contextCheck(name: string, wanted: string | null): Check {
  const pointer = `/context/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return wanted === null ? { on: 'body', pointer, matcher: { present: true } } : equal(pointer, wanted)
}

/** The class of statuses that an outcome has at least: a look without a status would be met by success and refusal alike. */
const leastStatus = { accepted: ['2xx'], refused: ['4xx'] }

/** How a situation looks that the profile only calls accepted or refused. */
export function plainLook(outcome: 'accepted' | 'refused', profile: Profile): Alternative {
  const { confidence: _, ...look } = profile[outcome]
  return { outcome, checks: checksOf({ status: leastStatus[outcome], ...look }) }
}

/** One permitted answer to a situation. What it does not say of its status, the profile says for all refusals. */
export function lookOf({ name, outcome, ...look }: SituationLook, several: boolean, profile: Profile): Alternative {
  const named = several ? { name } : {}
  if (Object.keys(look).length === 0) return { ...named, ...plainLook(outcome, profile) }
  const status = profile[outcome].status ?? leastStatus[outcome]
  return { ...named, outcome, checks: checksOf({ status, ...look }) }
}

/** The text alone: that it is accepted, or refused. */
export const lookByText = (outcome: 'accepted' | 'refused'): Alternative => ({
  outcome,
  checks: checksOf({ status: leastStatus[outcome] }),
})
