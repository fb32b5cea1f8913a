import {
  absentable,
  anything,
  base64,
  contentOf,
  type DecodedBy,
  type Decoder,
  emptyCase,
  int32,
  int64,
  lenientMessage,
  mapped,
  members,
  message,
  optional,
  required,
  tagged,
  text,
  union,
} from '../json/decode.js'
import type { DeduplicationPeriod } from '../ledger/state/deduplication.js'

/** Unchecked; the package is an id or `#name`. */
export interface TemplateReference {
  package: string
  module: string
  entity: string
}

export const templateReference: Decoder<TemplateReference> = (value, path, problems) => {
  const whole = text(value, path, problems)
  if (whole === undefined) return undefined
  const parts = whole.split(':')
  // As `split` of Java: empty trailing parts are dropped.
  while (problems.has('lenient-decoding') && parts.at(-1) === '') parts.pop()
  const [packagePart, module, entity, ...more] = parts
  if (packagePart !== undefined && module !== undefined && entity !== undefined && more.length === 0) {
    return { package: packagePart, module, entity }
  }
  const format = '<package>:<moduleName>:<entityName>'
  problems.add(`Invalid identifier format (${whole.slice(0, 200)}) not matching the expected format (${format})`, path)
  return undefined
}

const templateId = required(templateReference)
const choice = { choice: required(text), choiceArgument: required(anything) }
const creation = { templateId, createArguments: required(anything) }

export const command = union({
  CreateCommand: tagged('create', members(creation)),
  ExerciseCommand: tagged('exercise', members({ templateId, contractId: required(text), ...choice })),
  ExerciseByKeyCommand: tagged('exerciseByKey', members({ templateId, contractKey: required(anything), ...choice })),
  CreateAndExerciseCommand: tagged('createAndExercise', members({ ...creation, ...choice })),
})

export type CommandBody = DecodedBy<typeof command>

const nanoseconds: Decoder<bigint> = mapped(
  lenientMessage({ seconds: optional(int64, 0n), nanos: optional(int32, 0n) }),
  ({ seconds, nanos }) => seconds * 1_000_000_000n + nanos,
)

/** In microseconds, rounded down. */
export const duration: Decoder<bigint> = mapped(nanoseconds, (nanos) => nanos / 1000n)

/** Lenient: a missing offset is 0. */
const offsetBody: Decoder<{ value: bigint }> = (value, path, problems) =>
  message({ value: problems.has('lenient-decoding') ? optional(int64, 0n) : required(int64) })(value, path, problems)

/** `period` is undefined in the case `Empty`. */
export const deduplicationPeriod: Decoder<{ period: DeduplicationPeriod | undefined }> = union({
  DeduplicationDuration: mapped(contentOf(nanoseconds), (nanos) => ({ period: { kind: 'duration', nanos } as const })),
  DeduplicationOffset: mapped(offsetBody, ({ value }) => ({ period: { kind: 'offset', offset: value } as const })),
  Empty: mapped(emptyCase, () => ({ period: undefined })),
})

export const disclosedContract = message({
  templateId: absentable(templateReference),
  contractId: optional(text, ''),
  createdEventBlob: optional(base64, Buffer.alloc(0)),
  synchronizerId: optional(text, ''),
})

export type DisclosedContractBody = DecodedBy<typeof disclosedContract>

const prefetchMembers = { contractKey: required(anything), limit: absentable(int32) }
const withTemplate = members({ templateId, ...prefetchMembers })
const perhapsWithTemplate = members({ templateId: absentable(templateReference), ...prefetchMembers })

/** `templateId` is undefined only if the behaviour checks it later. */
export type PrefetchBody = DecodedBy<typeof perhapsWithTemplate>

export const prefetchContractKey: Decoder<PrefetchBody> = (value, path, problems) => {
  const decode: Decoder<PrefetchBody> = problems.has('prefetch-template-checked-later')
    ? perhapsWithTemplate
    : withTemplate
  return decode(value, path, problems)
}
