import { grammars } from '../../interface/grammars.js'
import { excerpt, type JsonObject } from '../../lib/json/json.js'
import type { IdentityProviders } from '../auth/identity-providers.js'
import type { GeneralRightKind, PartyRightKind, Right, Users } from '../auth/users.js'
import { checkOptionalField } from '../base/checks.js'
import { type ErrorOrigin, invalidArgument, invalidField, type LedgerError, RedactedError } from '../base/errors.js'
import { largestAnnotations, type MetadataChange, sizeOfAnnotations } from '../base/object-metadata.js'
import { integerParameter, largestInt32 } from '../http/call.js'
import { parseInt64 } from '../json/daml-number.js'
import {
  anything,
  contentOf,
  type DecodedBy,
  type Decoder,
  dictionary,
  lenientMessage,
  list,
  mapped,
  message,
  optional,
  tagged,
  text,
  union,
} from '../json/decode.js'

/** Throws `INVALID_FIELD` and `INVALID_ARGUMENT`. */
export function refuseUnknownProvider(origin: ErrorOrigin, id: string, providers: IdentityProviders): void {
  checkOptionalField(origin, 'identity_provider_id', grammars.ledgerString, id)
  if (id === '' || providers.knows(id)) return
  throw invalidArgument(origin, `Provided identity_provider_id ${id} has not been found.`)
}

/** Throws `RedactedError` if the user belongs to another identity provider. */
export function demandProvider(id: string, provider: string, users: Users): void {
  const user = users.find(id)
  if (user && user.identityProviderId !== provider) throw new RedactedError('PERMISSION_DENIED')
}

/** Of users and parties. */
export const metadataBody = message({
  resourceVersion: optional(text, ''),
  annotations: optional(dictionary(text), new Map<string, string>()),
})

type MetadataBody = DecodedBy<typeof metadataBody> | undefined

interface Place {
  origin: ErrorOrigin
  /** The message that contains the metadata, such as `user`. */
  object: string
  /** Of errors. */
  context?: Record<string, string>
}

/** Throws `INVALID_ARGUMENT`. */
export function initialAnnotations(metadata: MetadataBody, place: Place): Record<string, string> {
  const { annotations, resourceVersion = '' } = metadata ?? {}
  const found = checkedAnnotations(annotations, place)
  const empty = Object.keys(found).find((key) => found[key] === '')
  if (empty !== undefined) throw invalid(`The value of an annotation is empty for key: '${empty}'`, place)
  if (resourceVersion !== '') throw invalid(`field ${place.object}.resource_version must be not set`, place)
  return found
}

/** Throws `INVALID_ARGUMENT` and `INVALID_FIELD`. */
export function metadataChange(metadata: MetadataBody, place: Place): MetadataChange {
  const { annotations, resourceVersion = '' } = metadata ?? {}
  const found = checkedAnnotations(annotations, place)
  if (resourceVersion === '') return { annotations: found, expectedVersion: undefined }
  const expectedVersion = parseInt64(resourceVersion)
  if (expectedVersion === undefined) {
    const { origin, object, context } = place
    throw invalidField(origin, `${object}.resource_version`, 'Invalid resource version number', context)
  }
  return { annotations: found, expectedVersion }
}

function checkedAnnotations(
  annotations: ReadonlyMap<string, string> = new Map(),
  place: Place,
): Record<string, string> {
  const found = Object.fromEntries(annotations)
  if (sizeOfAnnotations(found) > largestAnnotations) {
    throw invalid(`The annotations exceed the maximum size of ${largestAnnotations} bytes`, place)
  }
  for (const key of annotations.keys()) {
    const problem = keyProblem(key)
    if (problem !== undefined) throw invalid(problem, place)
  }
  return found
}

const invalid = (problem: string, { origin, context }: Place): LedgerError => invalidArgument(origin, problem, context)

/** Keys as in Kubernetes: a name, perhaps after a DNS domain and a slash. */
function keyProblem(key: string): string | undefined {
  // As `split` of Java: empty trailing parts are dropped.
  const [first, second, ...more] = key === '' ? [''] : key.replace(/\/+$/, '').split('/')
  if (first === undefined || more.length > 0) return `Key '${excerpt(key, 50)}' contains more than one forward slash`
  if (second === undefined) return segmentProblem('Key name', first, nameSegment)
  return segmentProblem('Key prefix', first, domain) ?? segmentProblem('Key name', second, nameSegment)
}

const nameSegment = { longest: 63, pattern: /^[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?$/ }
const domain = {
  longest: 253,
  pattern: /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*$/,
}

function segmentProblem(kind: string, segment: string, { longest, pattern }: typeof domain): string | undefined {
  const shown = segment.length > longest ? `${segment.slice(0, 50)}...` : segment
  if (segment.length > longest) return `${kind} segment '${shown}' exceeds maximum length of ${longest} characters`
  return pattern.test(segment) ? undefined : `${kind} segment '${shown}' has invalid syntax`
}

/** `changed`: the metadata is among the fields of the update. */
export const onlyIf = (changed: boolean, change: MetadataChange): MetadataChange =>
  changed ? change : { ...change, annotations: {} }

const general = (kind: GeneralRightKind): Decoder<GivenRight> => mapped(contentOf(anything), () => ({ kind }))

const forParty = (kind: PartyRightKind): Decoder<GivenRight> =>
  tagged(kind, contentOf(message({ party: optional(text, '') })))

/** The oneof of a right; `none` if it is not set. */
type GivenRight = Right | 'none'

const unset = (): GivenRight => 'none'

const kinds = {
  ParticipantAdmin: general('ParticipantAdmin'),
  IdentityProviderAdmin: general('IdentityProviderAdmin'),
  CanReadAsAnyParty: general('CanReadAsAnyParty'),
  CanExecuteAsAnyParty: general('CanExecuteAsAnyParty'),
  CanActAs: forParty('CanActAs'),
  CanReadAs: forParty('CanReadAs'),
  CanExecuteAs: forParty('CanExecuteAs'),
  Empty: mapped(anything, unset),
}

const until35 = union(kinds)
const since36 = union({ ...kinds, CanActAsAnyParty: general('CanActAsAnyParty') })

const kind: Decoder<GivenRight> = (value, path, problems) =>
  (problems.has('right-to-act-as-any-party') ? since36 : until35)(value, path, problems)

export const rightsList = list(mapped(message({ kind: optional(kind, unset()) }), (item) => item.kind))

/** Throws `INVALID_ARGUMENT`. */
export function checkedRights(given: readonly GivenRight[]): Right[] {
  return given.map((right) => {
    if (right !== 'none') return right
    const hint = 'check that the Ledger API version of the server is recent enough'
    throw invalidArgument('management', `unknown kind of right - ${hint}`)
  })
}

export const printRight = (right: Right): JsonObject => ({
  kind: { [right.kind]: { value: 'party' in right ? { party: right.party } : {} } },
})

export const updateMask = lenientMessage({ paths: optional(list(text), []) })

/**
 * The leaves that a mask names: a path of a parent stands for all its leaves, and a final dot has no effect (observed on
 * 3.5.10). Throws `refuse` of the problem.
 */
export function leavesIn<Leaf extends string>(
  paths: readonly string[],
  leaves: readonly Leaf[],
  refuse: (problem: string) => LedgerError,
): Set<Leaf> {
  if (paths.length === 0) throw refuse('The update mask contains no entries')
  const named = new Set<string>()
  const found = new Set<Leaf>()
  for (const given of paths) {
    const path = given.replace(/\.$/, '')
    const below = leaves.filter((leaf) => leaf === path || leaf.startsWith(`${path}.`))
    if (below.length === 0) throw refuse(`The update path: '${given}' points to an unknown field.`)
    if (named.has(path)) throw refuse(`The update path: '${given}' is duplicated.`)
    named.add(path)
    for (const leaf of below) found.add(leaf)
  }
  return found
}

/** As in `GET /v2/version` of the reference 3.5.10. */
export const pageSizes = { users: 1000, parties: 10_000, vettedPackages: 100 } as const

interface Page {
  items: string[]
  /** Empty: last page. */
  nextPageToken: string
}

/** Throws `INVALID_ARGUMENT`, and `PlainRefusal` for a malformed size. */
export function pageOf(names: readonly string[], query: URLSearchParams, most: number, origin: ErrorOrigin): Page {
  const wished = integerParameter(query, 'pageSize', largestInt32) ?? 0
  if (wished < 0) throw invalidArgument(origin, 'Max page size must be non-negative')
  const size = wished === 0 ? most : Math.min(wished, most)
  const after = lastOfPage(query.get('pageToken') ?? '', origin)
  const left = names.toSorted().filter((name) => name > after)
  const items = left.slice(0, size)
  const last = items.length < left.length ? items.at(-1) : undefined
  return { items, nextPageToken: last === undefined ? '' : Buffer.from(last).toString('base64url') }
}

/** Only the list of parties has this limit; others shorten the page (observed on 3.5.10). Throws `INVALID_ARGUMENT`. */
export function refuseLargePage(query: URLSearchParams, most: number, origin: ErrorOrigin): void {
  if ((integerParameter(query, 'pageSize', largestInt32) ?? 0) <= most) return
  throw invalidArgument(origin, `Max page size must not exceed ${most}`)
}

/** The last name of the previous page. */
function lastOfPage(token: string, origin: ErrorOrigin): string {
  const name = Buffer.from(token, 'base64url').toString()
  if (Buffer.from(name).toString('base64url') === token) return name
  throw invalidArgument(origin, 'Invalid page token')
}
