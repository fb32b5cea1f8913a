/** The parts of suite files, written by `npm run shapes` from suites/schema. Names are those of the schemas and their definitions. */
import type { Data } from '../../record/types/resolved-row.js'

export interface Shapes {
  actors: { actors: Record<string, Shapes['actor']>; tokens?: Record<string, Shapes['token']> }
  actor: { rights: string[]; apart?: true }
  token: {
    meaning: string
    none?: true
    header?: string
    claims?: Record<string, Data>
    scheme?: string
    secret?: string
    algorithm?: string
    signature?: 'empty' | 'of-another-token'
  }
  cases: {
    operation?: Shapes['judged']
    operations?: Record<string, Record<string, string>>
    let?: Record<string, Data>
    cases: Shapes['case'][]
  }
  judged:
    | 'contract-by-id'
    | 'submit-and-wait'
    | 'execute-and-wait-for-transaction'
    | 'execute'
    | 'update-package-vetting'
  case: {
    id: string
    title: string
    rules?: string[]
    impact?: Shapes['impact']
    hazard?: string
    besides?: string
    needs?: Shapes['needs']
    let?: Record<string, Data>
    afterwards?: string
    serial?: boolean
    uncontrolled?: true
    request?: string
    as?: string
    token?: string
    edit?: Record<string, Data>
    remove?: string[]
    send?: Shapes['send']
    capture?: Record<string, string>
    outcome?: Shapes['step-outcome']
    expect?: Shapes['expect']
    steps?: Shapes['item'][]
    restore?: Shapes['item'][]
    rows?: Shapes['row'][]
  }
  impact: 'read' | 'write' | 'topology' | 'hazard'
  needs: (
    | 'authorization'
    | 'open-access'
    | 'one-synchronizer'
    | 'several-synchronizers'
    | 'external-parties'
    | 'hashing-v3'
    | 'prepared-synchronizer'
    | 'contract-keys'
    | 'conformance-model'
    | 'direct-connection'
  )[]
  send: {
    method?: string
    path?: string
    headers?: Record<string, string | null>
    text?: string
    written?:
      | 'utf-16'
      | 'gzip'
      | 'truncated'
      | 'followed'
      | 'trailing-comma'
      | 'comment'
      | 'single-quotes'
      | 'not-a-number'
      | 'byte-order-mark'
    base64?: string
    wire?: { version?: '1.0' | '1.1'; chunked?: true; expect?: true; before?: string[]; pipelined?: true }
  }
  'step-outcome': string | { situation: string; rules?: string[] }
  expect: { headers?: Record<string, Shapes['matcher']>; body?: Record<string, Shapes['matcher']> }
  matcher:
    | 'present'
    | 'absent'
    | 'null'
    | null
    | 'empty'
    | 'not-empty'
    | 'unpopulated'
    | 'timestamp'
    | 'open'
    | {
        format?: string
        of?: Data
        equals?: Data
        'one-of'?: Data[]
        type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null'
        pattern?: string
        grammar?:
          | 'ledgerString'
          | 'partyId'
          | 'userId'
          | 'packageId'
          | 'packageName'
          | 'packageVersion'
          | 'name'
          | 'contractId'
          | 'updateId'
          | 'fingerprint'
          | 'uniqueParty'
          | 'participantId'
          | 'synchronizerId'
        present?: boolean
        null?: boolean
        empty?: boolean
        unpopulated?: boolean
        timestamp?: boolean
        'same-time'?: string | Record<string, Data>
        'not-before'?: string | Record<string, Data>
        'same-set'?: Data[] | string | Record<string, Data>
        'same-items'?: { as: Data[] | string | Record<string, Data>; by: string }
        'subset-of'?: Data[] | string | Record<string, Data>
        'superset-of'?: Data[] | string | Record<string, Data>
        intersects?: Data[] | string | Record<string, Data>
        some?: Shapes['matcher']
        each?: Shapes['matcher']
        every?: Shapes['matcher']
        includes?: Data
        at?: Record<string, Shapes['matcher']>
        length?: number | string
        'shown-events'?: number | string
        keys?: number
        'greater-than'?: number | string
        'at-least'?: number | string | Record<string, Data>
        mentions?: string[]
        'mentions-none'?: string[]
        optional?: true
        rules?: string[]
      }
  item: {
    sequence?: string
    with?: Record<string, Shapes['difference']>
    name?: string
    request?: string
    as?: string
    token?: string
    edit?: Record<string, Data>
    remove?: string[]
    send?: Shapes['send']
    capture?: Record<string, string>
    outcome?: Shapes['step-outcome']
    expect?: Shapes['expect']
    eventually?: number
    later?: Shapes['later']
    'same-connection'?: true
    race?: Shapes['race']
  }
  difference: {
    name?: string
    as?: string
    token?: string
    edit?: Record<string, Data>
    remove?: string[]
    send?: Shapes['send']
    capture?: Record<string, string>
    outcome?: Shapes['step-outcome']
    expect?: Shapes['expect']
    eventually?: number
    later?: Shapes['later']
    'same-connection'?: true
    race?: Shapes['race']
  }
  later: 1 | 2 | 3 | 4 | 5 | 'late-check'
  race: { times: number; others?: string }
  row: {
    id?: string
    'for-each'?: Shapes['for-each']
    title?: string
    rules?: string[]
    impact?: Shapes['impact']
    uncontrolled?: true
    needs?: Shapes['needs']
    let?: Record<string, Data>
    as?: string
    token?: string
    edit?: Record<string, Data>
    remove?: string[]
    send?: Shapes['send']
    outcome?: Shapes['step-outcome']
    expect?: Shapes['expect']
  }
  'for-each': { members: Record<string, Shapes['member']>; values?: Record<string, Data>; missing?: true }
  member: {
    at: string
    without?: string[]
    rules?: string[]
    impact?: Shapes['impact']
    needs?: Shapes['needs']
    outcome?: Shapes['step-outcome']
  }
  fixtures: { fixtures: Record<string, Shapes['fixture']> }
  fixture: {
    party?: Shapes['party']
    key?: Shapes['key']
    prepared?: Shapes['prepared']
    let?: Record<string, Data>
    controls?:
      | 'contract-by-id'
      | 'submit-and-wait'
      | 'execute-and-wait-for-transaction'
      | 'execute'
      | 'update-package-vetting'
    keeps?: string[]
    steps?: Shapes['item'][]
  }
  party: { hint: string; everywhere?: true; keys?: ('ed25519' | 'p256' | 'p384' | 'secp256k1')[]; threshold?: number }
  key: 'ed25519' | 'p256' | 'p384' | 'secp256k1'
  prepared: { scheme: 'V2' | 'V3'; hash: string; transaction: string }
  outline: { text?: { title: string; version: string; digest: string }; outline: Shapes['section'][] }
  section: { section: string; passages: string[]; 'without-rule'?: Record<string, string> }
  probes: { probes: Record<string, Shapes['probe']> }
  probe: {
    extends?: string
    statement?: string
    rules?: string[]
    before?: Shapes['item'][]
    after?: Shapes['item'][]
    'after-acceptance'?: Shapes['item'][]
  }
  profile: {
    profile: string
    title: string
    line?: string
    extends?: string
    basis?: 'text' | 'facts'
    confidence: Shapes['confidence']
    source?: string
    'also-observed'?: string[]
    accepted?: Shapes['response']
    refused?: Shapes['response']
    'statuses-by'?: string
    formats?: Record<string, Shapes['matcher']>
    codes?: Record<string, Shapes['common']>
    situations?: Record<string, Shapes['situation']>
    divergences?: Shapes['divergence'][]
  }
  confidence: 'text' | 'observed' | 'read'
  response: {
    status?: Shapes['status']
    'media-type'?: string
    code?: string
    category?: number
    grpc?: number
    context?: Record<string, string | null>
    resources?: string[]
    retry?: string | null
    mentions?: string
    'names-hash'?: true
  }
  status: (number | string)[] | number | string
  common: {
    status?: Shapes['status']
    'media-type'?: string
    category?: number
    grpc?: number
    context?: Record<string, string | null>
    resources?: string[]
    retry?: string | null
    mentions?: string
    'names-hash'?: true
  }
  situation: {
    accepted?: true
    refused?: Shapes['response'] | Shapes['named-pattern'][] | true
    divergence?: string
    'by-protocol-version'?: Record<string, Shapes['outcome']>
    'by-row'?: Record<string, Shapes['outcome']>
    confidence?: Shapes['confidence']
    source?: string
  }
  'named-pattern': {
    name: string
    status?: Shapes['status']
    'media-type'?: string
    code?: string
    category?: number
    grpc?: number
    context?: Record<string, string | null>
    resources?: string[]
    retry?: string | null
    mentions?: string
    'names-hash'?: true
  }
  outcome: { accepted?: true; refused?: Shapes['response'] | Shapes['named-pattern'][] | true; divergence?: string }
  divergence: {
    id: string
    rule: string
    statement: string
    source?: string
    expect?: Record<string, Shapes['matcher']>
    situations?: string[]
    'protocol-version'?: number
    confidence?: Shapes['confidence']
  }
  requests: { requests: Record<string, Shapes['request']> }
  request: { operation: Shapes['called']; as?: string; query?: Record<string, string>; presignable?: true; body?: Data }
  called:
    | 'contract-by-id'
    | 'submit-and-wait'
    | 'execute-and-wait-for-transaction'
    | 'execute'
    | 'update-package-vetting'
    | 'version'
    | 'livez'
    | 'readyz'
    | 'connected-synchronizers'
    | 'participant-id'
    | 'ledger-end'
    | 'allocate-party'
    | 'create-user'
    | 'update-by-id'
    | 'update-by-offset'
    | 'updates'
    | 'completions'
    | 'active-contracts'
    | 'events-by-contract-id'
    | 'generate-external-topology'
    | 'allocate-external-party'
    | 'prepare'
    | 'execute-and-wait'
    | 'upload-dar'
    | 'list-vetted-packages'
    | 'packages'
  rules: { operations?: Shapes['judged'][]; rules: Shapes['rule'][]; unspecified?: Shapes['unspecified'][] }
  rule: {
    id: string
    statement: string
    strength: 'must' | 'should' | 'may' | 'client'
    section: string
    passages?: string[]
    operations?: Shapes['judged'][]
    'fact-of'?: string
    untestable?: string
  }
  unspecified: {
    id: string
    question: string
    section: string
    passages: string[]
    'filled-by'?: string
    answer?: string
  }
  sequences: { sequences: Record<string, { meaning: string; steps: Shapes['step'][] }> }
  step: {
    name?: string
    request: string
    as?: string
    token?: string
    edit?: Record<string, Data>
    remove?: string[]
    send?: Shapes['send']
    capture?: Record<string, string>
    outcome?: Shapes['step-outcome']
    expect?: Shapes['expect']
    eventually?: number
    later?: Shapes['later']
    'same-connection'?: true
    race?: Shapes['race']
  }
  situations: { situations: Record<string, string> }
  suite: { version: string }
}
