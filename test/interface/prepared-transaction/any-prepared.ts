import type { DamlIdentifier, DamlValue } from '../../../interface/daml-value.js'
import type { GlobalKeyWithMaintainers, TransactionNode } from '../../../interface/prepared-transaction/codec.js'
import fc from '../../support/records/properties.js'

const anyText = fc.string({ unit: 'binary' })
const anyTexts = fc.array(anyText, { maxLength: 4 })
const anyInt64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const anyBytes = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))

// With a prototype, as decoding makes them.
const record = <T>(properties: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record<T>(properties, { noNullPrototype: true })

const anyIdentifier = record<DamlIdentifier>({ packageId: anyText, module: anyText, entity: anyText })

const kind = <K extends string>(name: K): fc.Arbitrary<K> => fc.constant(name)

/** Any types, unlabelled fields and absent type ids. */
export const { anyValue } = fc.letrec<{ anyValue: DamlValue }>((tie) => {
  const inner = tie('anyValue')
  const entries = <K>(key: fc.Arbitrary<K>) => fc.array(fc.tuple(key, inner), { maxLength: 3 })
  return {
    anyValue: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      record({ kind: kind('unit') }),
      record({ kind: kind('bool'), value: fc.boolean() }),
      record({ kind: fc.constantFrom('int64', 'timestamp'), value: anyInt64 }),
      record({ kind: kind('date'), value: fc.integer() }),
      record({ kind: fc.constantFrom('numeric', 'party', 'text', 'contractId'), value: anyText }),
      record({ kind: kind('enum'), id: anyIdentifier, constructor: anyText }),
      record({ kind: kind('optional'), value: fc.option(inner, { nil: undefined }) }),
      record({ kind: kind('list'), items: fc.array(inner, { maxLength: 3 }) }),
      record({ kind: kind('textMap'), entries: entries(anyText) }),
      record({ kind: kind('genMap'), entries: entries(inner) }),
      record({ kind: kind('record'), id: anyIdentifier, fields: entries(anyText) }),
      record({ kind: kind('variant'), id: anyIdentifier, constructor: anyText, value: inner }),
    ),
  }
})

const anyKey: fc.Arbitrary<GlobalKeyWithMaintainers> = record({
  key: record({ templateId: anyIdentifier, packageName: anyText, key: anyValue, hash: anyBytes }),
  maintainers: anyTexts,
})

const onContract = {
  lfVersion: anyText,
  contractId: anyText,
  packageName: anyText,
  templateId: anyIdentifier,
  signatories: anyTexts,
  stakeholders: anyTexts,
  key: fc.option(anyKey, { nil: undefined }),
}
const using = {
  ...onContract,
  actingParties: anyTexts,
  interfaceId: fc.option(anyIdentifier, { nil: undefined }),
  byKey: fc.boolean(),
}

/** Also invalid nodes. */
export const anyNode: fc.Arbitrary<TransactionNode> = fc.oneof(
  record({ kind: kind('create'), ...onContract, argument: anyValue }),
  record({ kind: kind('fetch'), ...using }),
  record({
    kind: kind('exercise'),
    ...using,
    choiceId: anyText,
    chosenValue: anyValue,
    consuming: fc.boolean(),
    children: anyTexts,
    exerciseResult: fc.option(anyValue, { nil: undefined }),
    choiceObservers: anyTexts,
  }),
  record({ kind: kind('rollback'), children: anyTexts }),
  record({
    kind: kind('queryByKey'),
    lfVersion: anyText,
    packageName: anyText,
    templateId: anyIdentifier,
    exhaustive: fc.boolean(),
    key: anyKey,
    result: anyTexts,
  }),
)
