import type { BuiltinName } from '../language/builtin-names.js'
import type { Type } from '../language/types.js'
import { Cursor } from '../text/cursor.js'
import { readType } from '../text/types.js'
import { arrow, builtin, forall, list, text } from './make-types.js'

const comparison = 'forall (a:*). a -> a -> Bool'
const int64s = 'Int64 -> Int64 -> Int64'
const numerics = 'forall (n: nat). Numeric n -> Numeric n -> Numeric n'
// The first argument gives the scale of the result.
const scaled = 'forall (a: nat) (b: nat) (c: nat). Numeric c -> Numeric a -> Numeric b -> Numeric c'
const rescaled = 'forall (a: nat) (b: nat). Numeric b -> Numeric a -> Numeric b'
const texts = 'Text -> Text'

const written: Readonly<Record<Exclude<BuiltinName, 'TEXTMAP_TO_LIST'>, string>> = {
  TRACE: 'forall (a:*). Text -> a -> a',
  ERROR: 'forall (a:*). Text -> a',
  EQUAL: comparison,
  LESS_EQ: comparison,
  LESS: comparison,
  GREATER_EQ: comparison,
  GREATER: comparison,
  ADD_INT64: int64s,
  SUB_INT64: int64s,
  MUL_INT64: int64s,
  DIV_INT64: int64s,
  MOD_INT64: int64s,
  EXP_INT64: int64s,
  ADD_NUMERIC: numerics,
  SUB_NUMERIC: numerics,
  MUL_NUMERIC: scaled,
  DIV_NUMERIC: scaled,
  ROUND_NUMERIC: 'forall (n: nat). Int64 -> Numeric n -> Numeric n',
  CAST_NUMERIC: rescaled,
  SHIFT_NUMERIC: rescaled,
  INT64_TO_NUMERIC: 'forall (n: nat). Numeric n -> Int64 -> Numeric n',
  NUMERIC_TO_INT64: 'forall (n: nat). Numeric n -> Int64',
  INT64_TO_TEXT: 'Int64 -> Text',
  NUMERIC_TO_TEXT: 'forall (n: nat). Numeric n -> Text',
  TIMESTAMP_TO_TEXT: 'Timestamp -> Text',
  DATE_TO_TEXT: 'Date -> Text',
  PARTY_TO_TEXT: 'Party -> Text',
  TEXT_TO_PARTY: 'Text -> Option Party',
  TEXT_TO_INT64: 'Text -> Option Int64',
  TEXT_TO_NUMERIC: 'forall (n: nat). Numeric n -> Text -> Option (Numeric n)',
  CONTRACT_ID_TO_TEXT: 'forall (a:*). ContractId a -> Option Text',
  SHA256_TEXT: texts,
  EXPLODE_TEXT: 'Text -> List Text',
  APPEND_TEXT: 'Text -> Text -> Text',
  IMPLODE_TEXT: 'List Text -> Text',
  CODE_POINTS_TO_TEXT: 'List Int64 -> Text',
  TEXT_TO_CODE_POINTS: 'Text -> List Int64',
  DATE_TO_UNIX_DAYS: 'Date -> Int64',
  UNIX_DAYS_TO_DATE: 'Int64 -> Date',
  TIMESTAMP_TO_UNIX_MICROSECONDS: 'Timestamp -> Int64',
  UNIX_MICROSECONDS_TO_TIMESTAMP: 'Int64 -> Timestamp',
  COERCE_CONTRACT_ID: 'forall (a:*) (b:*). ContractId a -> ContractId b',
  FOLDL: 'forall (a:*) (b:*). (b -> a -> b) -> b -> List a -> b',
  FOLDR: 'forall (a:*) (b:*). (a -> b -> b) -> b -> List a -> b',
  EQUAL_LIST: 'forall (a:*). (a -> a -> Bool) -> List a -> List a -> Bool',
  GENMAP_EMPTY: 'forall (k:*) (v:*). GenMap k v',
  GENMAP_INSERT: 'forall (k:*) (v:*). k -> v -> GenMap k v -> GenMap k v',
  GENMAP_LOOKUP: 'forall (k:*) (v:*). k -> GenMap k v -> Option v',
  GENMAP_DELETE: 'forall (k:*) (v:*). k -> GenMap k v -> GenMap k v',
  GENMAP_KEYS: 'forall (k:*) (v:*). GenMap k v -> List k',
  GENMAP_VALUES: 'forall (k:*) (v:*). GenMap k v -> List v',
  GENMAP_SIZE: 'forall (k:*) (v:*). GenMap k v -> Int64',
  ANY_EXCEPTION_MESSAGE: 'AnyException -> Text',
  TEXTMAP_EMPTY: 'forall (a:*). TextMap a',
  TEXTMAP_INSERT: 'forall (a:*). Text -> a -> TextMap a -> TextMap a',
  TEXTMAP_LOOKUP: 'forall (a:*). Text -> TextMap a -> Option a',
  TEXTMAP_DELETE: 'forall (a:*). Text -> TextMap a -> TextMap a',
  TEXTMAP_SIZE: 'forall (a:*). TextMap a -> Int64',
  FAIL_WITH_STATUS: 'forall (a:*). Text -> FailureCategory -> Text -> TextMap Text -> a',
  KECCAK256_TEXT: texts,
  SECP256K1_BOOL: 'Text -> Text -> Text -> Bool',
  HEX_TO_TEXT: texts,
  TEXT_TO_HEX: texts,
  SHA256_HEX: texts,
  SECP256K1_WITH_ECDSA_BOOL: 'Text -> Text -> Text -> Bool',
  SECP256K1_VALIDATE_KEY: 'Text -> Bool',
}

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
  const type = readType(new Cursor(written[name], ''))
  read.set(name, type)
  return type
}
