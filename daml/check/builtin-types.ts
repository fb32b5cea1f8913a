import { type BuiltinName, builtins } from '../language/builtins.js'
import type { Type } from '../language/types.js'
import { Cursor } from '../text/cursor.js'
import { readType } from '../text/types.js'
import { arrow, builtin, forall, list, text } from './make-types.js'

const a: Type = { kind: 'var', name: 'a', args: [] }
const entry: Type = {
  kind: 'struct',
  fields: [
    ['key', text],
    ['value', a],
  ],
}
// The text format has no structs.
const textMapToList = forall([['a', 'star']], arrow(builtin('TextMap', a), list(entry)))

const read = new Map<BuiltinName, Type>([['TEXTMAP_TO_LIST', textMapToList]])

export function typeOfBuiltin(name: BuiltinName): Type {
  const known = read.get(name)
  if (known || name === 'TEXTMAP_TO_LIST') return known ?? textMapToList
  const type = readType(new Cursor(builtins[name].type, ''))
  read.set(name, type)
  return type
}
