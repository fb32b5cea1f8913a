import {
  absentable,
  type Decoder,
  flag,
  int32,
  list,
  mapped,
  members,
  oneOf,
  optional,
  required,
  text,
} from '../json/decode.js'
import { instant } from '../json/instant.js'
import { command, disclosedContract, prefetchContractKey } from './commands.js'
import { minLedgerTimeBody, noBound } from './min-ledger-time-body.js'
import type { SubmissionBody } from './submission-body.js'

/** The body of prepare; `submission` is what it has in common with a submission, with nothing where it has no such member. */
export const prepareBody = mapped(
  members({
    commandId: required(text),
    commands: required(list(command)),
    actAs: required(list(text)),
    synchronizerId: required(text),
    packageIdSelectionPreference: required(list(text)),
    userId: optional(text, ''),
    readAs: optional(list(text), []),
    minLedgerTime: optional(minLedgerTimeBody, noBound),
    disclosedContracts: optional(list(disclosedContract), []),
    prefetchContractKeys: optional(list(prefetchContractKey), []),
    maxRecordTime: absentable(instant),
    estimateTrafficCost: optional(members({ disabled: optional(flag, false) }), { disabled: false }),
    hashingSchemeVersion: optional(
      oneOf(['HASHING_SCHEME_VERSION_UNSPECIFIED', 'HASHING_SCHEME_VERSION_V2', 'HASHING_SCHEME_VERSION_V3']),
      'HASHING_SCHEME_VERSION_V2',
    ),
    tapsMaxPasses: absentable(int32),
    verboseHashing: optional(flag, false),
  }),
  ({ maxRecordTime, estimateTrafficCost, hashingSchemeVersion, verboseHashing, minLedgerTime: bound, ...rest }) => {
    const { packageIdSelectionPreference: preference, prefetchContractKeys: prefetch, ...shared } = rest
    const unused = { workflowId: '', submissionId: '', deduplication: undefined }
    const submission: SubmissionBody = { ...shared, ...bound, ...unused, preference, prefetch }
    const estimateCost = !estimateTrafficCost.disabled
    return { submission, maxRecordTime, hashingSchemeVersion, verboseHashing, estimateCost }
  },
)

export type PrepareBody = typeof prepareBody extends Decoder<infer T> ? T : never
