import { bool, bytes, string } from '../../lib/protobuf/protobuf-kinds.js'
import { always, message, one, oneOf, optional, repeated } from '../../lib/protobuf/protobuf-message.js'
import type {
  CreateNode,
  ExerciseNode,
  FetchNode,
  GlobalKey,
  GlobalKeyWithMaintainers,
  QueryByKeyNode,
  RollbackNode,
  TransactionNode,
} from './prepared-transaction.js'
import { identifier, value } from './value-codec.js'

export const globalKey = message<GlobalKey>({
  templateId: one(1, identifier),
  packageName: one(2, string),
  key: one(3, value),
  hash: one(4, bytes),
})

const keyWithMaintainers = message<GlobalKeyWithMaintainers>({
  key: one(1, globalKey),
  maintainers: repeated(2, string),
})

export const create = message<CreateNode>({
  kind: always('create'),
  lfVersion: one(1, string),
  contractId: one(2, string),
  packageName: one(3, string),
  templateId: one(4, identifier),
  argument: one(5, value),
  signatories: repeated(6, string),
  stakeholders: repeated(7, string),
  key: optional(8, keyWithMaintainers),
})

const contractUse = {
  lfVersion: one(1, string),
  contractId: one(2, string),
  packageName: one(3, string),
  templateId: one(4, identifier),
  signatories: repeated(5, string),
  stakeholders: repeated(6, string),
  actingParties: repeated(7, string),
  interfaceId: optional(8, identifier),
}

const fetch = message<FetchNode>({
  kind: always('fetch'),
  ...contractUse,
  key: optional(9, keyWithMaintainers),
  byKey: one(10, bool),
})

const exercise = message<ExerciseNode>({
  kind: always('exercise'),
  ...contractUse,
  choiceId: one(9, string),
  chosenValue: one(10, value),
  consuming: one(11, bool),
  children: repeated(12, string),
  exerciseResult: optional(13, value),
  choiceObservers: repeated(14, string),
  key: optional(15, keyWithMaintainers),
  byKey: one(16, bool),
})

const rollback = message<RollbackNode>({ kind: always('rollback'), children: repeated(1, string) })

const queryByKey = message<QueryByKeyNode>({
  kind: always('queryByKey'),
  lfVersion: one(1, string),
  packageName: one(2, string),
  templateId: one(3, identifier),
  exhaustive: one(4, bool),
  key: one(5, keyWithMaintainers),
  result: repeated(6, string),
})

export const node = oneOf<TransactionNode>('transaction node', {
  create: { number: 1, kind: create },
  fetch: { number: 2, kind: fetch },
  exercise: { number: 3, kind: exercise },
  rollback: { number: 4, kind: rollback },
  queryByKey: { number: 5, kind: queryByKey },
})
