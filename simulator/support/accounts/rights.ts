import type { JsonObject } from '../../../lib/json/json.js'
import type { GeneralRightKind, PartyRightKind, Right } from '../../auth/users.js'
import { invalidArgument } from '../../base/errors.js'
import { anything, type Decoder, list, mapped, message, optional, required, text, union } from '../../json/decode.js'

const general = (kind: GeneralRightKind): Decoder<Right> =>
  mapped(message({ value: required(anything) }), (): Right => ({ kind }))

const forParty = (kind: PartyRightKind): Decoder<Right> =>
  mapped(
    message({ value: required(message({ party: optional(text, '') })) }),
    ({ value }): Right => ({
      kind,
      party: value.party,
    }),
  )

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

const until35 = union<GivenRight>(kinds)
const since36 = union<GivenRight>({ ...kinds, CanActAsAnyParty: general('CanActAsAnyParty') })

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
