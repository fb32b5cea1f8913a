import type { DamlIdentifier, DamlValue } from '../../../interface/daml-value.js'
import type {
  CreateNode,
  ExerciseNode,
  FetchNode,
  GlobalKeyWithMaintainers,
  InputContract,
  PreparedTransaction,
  QueryByKeyNode,
} from '../../../interface/prepared-transaction/codec.js'
import type { HashingScheme } from '../../../interface/prepared-transaction/hash-encoding.js'

export const contractIds = [
  '0007e7b5534931dfca8e1b485c105bae4e10808bd13ddc8e897f258015f9d921c5',
  '0059b59ad7a6b6066e77b91ced54b8282f0e24e7089944685cb8f22f32fcbc4e1b',
] as const

const seeds = [
  '926bbb6f341bc0092ae65d06c6e284024907148cc29543ef6bff0930f5d52c19',
  'e0c69eae8afb38872fa425c2cdba794176f3b9d97e8eefb7b0e7c831f566458f',
  '4d2a522e9ee44e31b9bef2e3c8a07d43475db87463c6a13c4ea92f898ac8a930',
  'b4f0534e651ac8d5e10d95ddfcafdb123550a5e3185e3fe61ec1746a7222a88e',
  'a867edafa1277f46f879ab92c373a15c2d75c5d86fec741705cee1eb01ef8c9e',
  '5483d5df9b245e662c0e4368b8062e8a0fd24c17ce4ded1a0e452e4ee879dd81',
]

export const text = (value: string): DamlValue => ({ kind: 'text', value })

const identifier = (packageId: string, module: string, entity: string): DamlIdentifier => ({
  packageId,
  module,
  entity,
})

export const templateId = identifier('package', 'module', 'name')

const key: GlobalKeyWithMaintainers = {
  key: {
    templateId: identifier('package', 'module_key', 'name'),
    packageName: 'package_name_key',
    key: text('hello'),
    hash: Buffer.from('4d1741d27564ab1f1e74873034760583a1a71edaa90dbad6be3a78c0bf3eec7c', 'hex'),
  },
  maintainers: ['david'],
}

interface SchemeParts {
  lfVersion: string
  key: GlobalKeyWithMaintainers | undefined
  byKey: boolean
}

/** LF version 2 and scheme V3 added contract keys. */
const parts: Record<HashingScheme, SchemeParts> = {
  V2: { lfVersion: '2.1', key: undefined, byKey: false },
  V3: { lfVersion: '2', key, byKey: true },
}

const common = { packageName: 'package-name-0', templateId }
const used = { signatories: ['alice'], stakeholders: ['charlie'], actingParties: ['alice', 'bob'] }

const create = ({ lfVersion, key }: SchemeParts, contractId: string): CreateNode => ({
  kind: 'create',
  lfVersion,
  contractId,
  ...common,
  argument: text('hello'),
  signatories: ['alice', 'bob'],
  stakeholders: ['alice', 'charlie'],
  key,
})

const fetch = (of: SchemeParts, contractId: string): FetchNode => ({
  kind: 'fetch',
  ...of,
  contractId,
  ...common,
  ...used,
  interfaceId: undefined,
})

const exercise = (of: SchemeParts): ExerciseNode => ({
  kind: 'exercise',
  ...of,
  contractId: contractIds[0],
  ...common,
  ...used,
  interfaceId: identifier('package', 'interface_module', 'interface_name'),
  choiceId: 'choice',
  chosenValue: { kind: 'int64', value: 31380n },
  consuming: true,
  children: ['0', '2'],
  exerciseResult: text('result'),
  choiceObservers: ['david'],
})

export const queryByKey: QueryByKeyNode = {
  kind: 'queryByKey',
  lfVersion: '2',
  ...common,
  exhaustive: true,
  key,
  result: [contractIds[0]],
}

const inputContract = (
  { lfVersion }: SchemeParts,
  contractId: string,
  party: string,
  createdAt: bigint,
  blob: string,
): InputContract => ({
  contract: {
    kind: 'create',
    lfVersion,
    contractId,
    packageName: 'PkgName',
    templateId: identifier('-dummyPkg-', 'DummyModule', 'dummyName'),
    argument: {
      kind: 'contractId',
      value: '0097a092402108f5593bac7fb3c909cd316910197dd98d603042a45ab85c81e0fd',
    },
    signatories: [party],
    stakeholders: [party],
    key: undefined,
  },
  createdAt,
  eventBlob: Buffer.from(blob, 'hex'),
})

/** The inputs of the reference's own tests. Nodes 1 and 3 are below no root. */
export function preparedSample(scheme: HashingScheme): PreparedTransaction {
  const of = parts[scheme]
  const nodes = [
    create(of, contractIds[0]),
    create(of, contractIds[1]),
    fetch(of, contractIds[0]),
    fetch(of, contractIds[1]),
    exercise(of),
    { kind: 'rollback' as const, children: ['2', '4'] },
  ]
  return {
    transaction: {
      version: of.lfVersion,
      roots: ['0', '5'],
      nodes: nodes.map((node, index) => ({ nodeId: String(index), node })),
      nodeSeeds: seeds.map((seed, nodeId) => ({ nodeId, seed: Buffer.from(seed, 'hex') })),
    },
    metadata: {
      submitterInfo: { actAs: ['alice', 'bob'], commandId: 'command-id' },
      synchronizerId: 'synchronizer::id',
      mediatorGroup: 0,
      transactionUuid: '4c6471d3-4e09-49dd-addf-6cd90e19c583',
      preparationTime: 0n,
      inputContracts: [
        inputContract(of, contractIds[0], 'alice', 864_000_000_000n, '0010'),
        inputContract(of, contractIds[1], 'bob', 1_728_000_000_000n, '0050'),
      ],
      globalKeyMapping: [],
      minLedgerEffectiveTime: 0xaaaan,
      maxLedgerEffectiveTime: 0xbbbbn,
      maxRecordTime: scheme === 'V3' ? 2_592_000_000_000n : undefined,
    },
  }
}
