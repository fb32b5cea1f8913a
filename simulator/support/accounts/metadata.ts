import { excerpt } from '../../../lib/json/json.js'
import { type ErrorOrigin, invalidArgument, invalidField, type LedgerError } from '../../base/errors.js'
import { largestAnnotations, type MetadataChange, sizeOfAnnotations } from '../../base/object-metadata.js'
import { type DecodedBy, dictionary, message, optional, text } from '../../json/decode.js'

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
  if (!/^[+-]?\d{1,18}$/.test(resourceVersion)) {
    const { origin, object, context } = place
    throw invalidField(origin, `${object}.resource_version`, 'Invalid resource version number', context)
  }
  return { annotations: found, expectedVersion: BigInt(resourceVersion.replace(/^\+/, '')) }
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
