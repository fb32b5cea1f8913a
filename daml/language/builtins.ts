import type { DamlIdentifier } from '../../interface/daml-value.js'

const comparison = 'forall (a:*). a -> a -> Bool'
const int64s = 'Int64 -> Int64 -> Int64'
const numerics = 'forall (n: nat). Numeric n -> Numeric n -> Numeric n'
// The first argument gives the scale of the result.
const scaled = 'forall (a: nat) (b: nat) (c: nat). Numeric c -> Numeric a -> Numeric b -> Numeric c'
const rescaled = 'forall (a: nat) (b: nat). Numeric b -> Numeric a -> Numeric b'
const texts = 'Text -> Text'

/** Daml-LF 2.1 to 2.3, with protobuf numbers, and types in the text format. */
export const builtins = {
  TRACE: { number: 0, type: 'forall (a:*). Text -> a -> a' },
  ERROR: { number: 1, type: 'forall (a:*). Text -> a' },
  EQUAL: { number: 2, type: comparison },
  LESS_EQ: { number: 3, type: comparison },
  LESS: { number: 4, type: comparison },
  GREATER_EQ: { number: 5, type: comparison },
  GREATER: { number: 6, type: comparison },
  ADD_INT64: { number: 7, type: int64s },
  SUB_INT64: { number: 8, type: int64s },
  MUL_INT64: { number: 9, type: int64s },
  DIV_INT64: { number: 10, type: int64s },
  MOD_INT64: { number: 11, type: int64s },
  EXP_INT64: { number: 12, type: int64s },
  ADD_NUMERIC: { number: 13, type: numerics },
  SUB_NUMERIC: { number: 14, type: numerics },
  MUL_NUMERIC: { number: 15, type: scaled },
  DIV_NUMERIC: { number: 16, type: scaled },
  ROUND_NUMERIC: { number: 17, type: 'forall (n: nat). Int64 -> Numeric n -> Numeric n' },
  CAST_NUMERIC: { number: 18, type: rescaled },
  SHIFT_NUMERIC: { number: 19, type: rescaled },
  INT64_TO_NUMERIC: { number: 20, type: 'forall (n: nat). Numeric n -> Int64 -> Numeric n' },
  NUMERIC_TO_INT64: { number: 21, type: 'forall (n: nat). Numeric n -> Int64' },
  INT64_TO_TEXT: { number: 22, type: 'Int64 -> Text' },
  NUMERIC_TO_TEXT: { number: 23, type: 'forall (n: nat). Numeric n -> Text' },
  TIMESTAMP_TO_TEXT: { number: 25, type: 'Timestamp -> Text' },
  DATE_TO_TEXT: { number: 26, type: 'Date -> Text' },
  PARTY_TO_TEXT: { number: 27, type: 'Party -> Text' },
  TEXT_TO_PARTY: { number: 28, type: 'Text -> Option Party' },
  TEXT_TO_INT64: { number: 29, type: 'Text -> Option Int64' },
  TEXT_TO_NUMERIC: { number: 30, type: 'forall (n: nat). Numeric n -> Text -> Option (Numeric n)' },
  CONTRACT_ID_TO_TEXT: { number: 31, type: 'forall (a:*). ContractId a -> Option Text' },
  SHA256_TEXT: { number: 32, type: texts },
  EXPLODE_TEXT: { number: 33, type: 'Text -> List Text' },
  APPEND_TEXT: { number: 34, type: 'Text -> Text -> Text' },
  IMPLODE_TEXT: { number: 35, type: 'List Text -> Text' },
  CODE_POINTS_TO_TEXT: { number: 36, type: 'List Int64 -> Text' },
  TEXT_TO_CODE_POINTS: { number: 37, type: 'Text -> List Int64' },
  DATE_TO_UNIX_DAYS: { number: 38, type: 'Date -> Int64' },
  UNIX_DAYS_TO_DATE: { number: 39, type: 'Int64 -> Date' },
  TIMESTAMP_TO_UNIX_MICROSECONDS: { number: 40, type: 'Timestamp -> Int64' },
  UNIX_MICROSECONDS_TO_TIMESTAMP: { number: 41, type: 'Int64 -> Timestamp' },
  COERCE_CONTRACT_ID: { number: 42, type: 'forall (a:*) (b:*). ContractId a -> ContractId b' },
  FOLDL: { number: 43, type: 'forall (a:*) (b:*). (b -> a -> b) -> b -> List a -> b' },
  FOLDR: { number: 44, type: 'forall (a:*) (b:*). (a -> b -> b) -> b -> List a -> b' },
  EQUAL_LIST: { number: 45, type: 'forall (a:*). (a -> a -> Bool) -> List a -> List a -> Bool' },
  GENMAP_EMPTY: { number: 52, type: 'forall (k:*) (v:*). GenMap k v' },
  GENMAP_INSERT: { number: 53, type: 'forall (k:*) (v:*). k -> v -> GenMap k v -> GenMap k v' },
  GENMAP_LOOKUP: { number: 54, type: 'forall (k:*) (v:*). k -> GenMap k v -> Option v' },
  GENMAP_DELETE: { number: 55, type: 'forall (k:*) (v:*). k -> GenMap k v -> GenMap k v' },
  GENMAP_KEYS: { number: 56, type: 'forall (k:*) (v:*). GenMap k v -> List k' },
  GENMAP_VALUES: { number: 57, type: 'forall (k:*) (v:*). GenMap k v -> List v' },
  GENMAP_SIZE: { number: 58, type: 'forall (k:*) (v:*). GenMap k v -> Int64' },
  ANY_EXCEPTION_MESSAGE: { number: 59, type: 'AnyException -> Text' },
  TEXTMAP_EMPTY: { number: 60, type: 'forall (a:*). TextMap a' },
  TEXTMAP_INSERT: { number: 61, type: 'forall (a:*). Text -> a -> TextMap a -> TextMap a' },
  TEXTMAP_LOOKUP: { number: 62, type: 'forall (a:*). Text -> TextMap a -> Option a' },
  TEXTMAP_DELETE: { number: 63, type: 'forall (a:*). Text -> TextMap a -> TextMap a' },
  // Its type is in check/builtin-types.ts.
  TEXTMAP_TO_LIST: { number: 64 },
  TEXTMAP_SIZE: { number: 65, type: 'forall (a:*). TextMap a -> Int64' },
  FAIL_WITH_STATUS: { number: 66, type: 'forall (a:*). Text -> FailureCategory -> Text -> TextMap Text -> a' },
  KECCAK256_TEXT: { number: 67, type: texts },
  SECP256K1_BOOL: { number: 68, type: 'Text -> Text -> Text -> Bool' },
  HEX_TO_TEXT: { number: 69, type: texts },
  TEXT_TO_HEX: { number: 70, type: texts },
  SHA256_HEX: { number: 71, type: texts },
  SECP256K1_WITH_ECDSA_BOOL: { number: 72, type: 'Text -> Text -> Text -> Bool' },
  SECP256K1_VALIDATE_KEY: { number: 73, type: 'Text -> Bool' },
} as const

export type BuiltinName = keyof typeof builtins

/** The same package id for all compilers. */
export const tuple2: DamlIdentifier = {
  packageId: '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4',
  module: 'DA.Types',
  entity: 'Tuple2',
}
