import type { BuiltinName } from '../../language/builtin-names.js'
import type { Value } from '../values.js'
import { arithmetic } from './arithmetic.js'
import { crypto } from './crypto.js'
import { general } from './general.js'
import { maps } from './maps.js'
import { texts } from './texts.js'
import { times } from './times.js'

/** Every builtin by its name. */
export const builtins: Readonly<Record<BuiltinName, Value>> = {
  ...general,
  ...arithmetic,
  ...texts,
  ...times,
  ...maps,
  ...crypto,
}
