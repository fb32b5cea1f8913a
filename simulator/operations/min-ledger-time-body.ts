import { duration } from '../codec/commands.js'
import { emptyCase, mapped, message, optional, required, union } from '../json/decode.js'
import { instant } from '../json/instant.js'
import type { LedgerTimeBounds } from './min-ledger-time.js'

export const noBound: LedgerTimeBounds = { minLedgerTimeAbs: undefined, minLedgerTimeRel: undefined }

/** The lower bound of the ledger time as the operations on prepared transactions take it. */
export const minLedgerTimeBody = mapped(
  message({
    time: optional(
      union<LedgerTimeBounds>({
        MinLedgerTimeAbs: mapped(message({ value: required(instant) }), ({ value }) => ({
          ...noBound,
          minLedgerTimeAbs: value,
        })),
        MinLedgerTimeRel: mapped(message({ value: required(duration) }), ({ value }) => ({
          ...noBound,
          minLedgerTimeRel: value,
        })),
        Empty: mapped(emptyCase, () => noBound),
      }),
      noBound,
    ),
  }),
  ({ time }) => time,
)
