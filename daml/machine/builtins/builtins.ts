import { isInstant } from '../../../lib/json/instant.js'
import type { BuiltinName } from '../../language/builtins.js'
import { illTyped } from '../failures.js'
import { hostFunction, type Value } from '../values.js'
import { type Args, integer } from './arguments.js'
import { arithmetic, partial } from './arithmetic.js'
import { crypto } from './crypto.js'
import { general } from './general.js'
import { maps } from './maps.js'
import { texts } from './texts.js'

/** The years 1 to 9999, in days since 1970-01-01. */
const [firstDay, lastDay] = [-719_162n, 2_932_896n]

function days(args: Args): number {
  const value: Value | undefined = args[0]
  return typeof value === 'number' ? value : illTyped('an argument of a builtin is not a Date')
}

const times = {
  DATE_TO_TEXT: hostFunction(1, (args) => new Date(days(args) * 86_400_000).toISOString().slice(0, 10)),
  DATE_TO_UNIX_DAYS: hostFunction(1, (args) => BigInt(days(args))),
  UNIX_DAYS_TO_DATE: partial('UNIX_DAYS_TO_DATE', 1, (args) => {
    const found = integer(args, 0)
    return found >= firstDay && found <= lastDay ? Number(found) : undefined
  }),
  TIMESTAMP_TO_UNIX_MICROSECONDS: hostFunction(1, (args) => integer(args, 0)),
  UNIX_MICROSECONDS_TO_TIMESTAMP: partial('UNIX_MICROSECONDS_TO_TIMESTAMP', 1, (args) => {
    const micros = integer(args, 0)
    return isInstant(micros) ? micros : undefined
  }),
}

export const builtins: Readonly<Record<BuiltinName, Value>> = {
  ...general,
  ...arithmetic,
  ...texts,
  ...times,
  ...maps,
  ...crypto,
}
