export type Type =
  | ('Party' | 'Text' | 'Int64' | 'Numeric' | 'Bool' | 'Date' | 'Time' | 'Unit' | 'Depth')
  | { list: Type }
  | { optional: Type }
  | { textMap: Type }
  | { pairs: readonly [Type, Type] }
  | { record: Fields }
  | { variant: Fields }
  | { enum: readonly string[] }
  | { contract: readonly string[] }

export type Fields = Readonly<Record<string, Type>>

export interface Choice {
  arguments: Fields
  /** Fields that contain the controllers: of the contract, or with `=` of the argument. */
  by: readonly string[]
  /** The interface of the choice, which the command names instead of the template. */
  of?: string
}

export interface Template {
  /** `Module:Entity`. */
  entity: string
  id: string
  fields: Fields
  signatories: readonly string[]
  choices: Readonly<Record<string, Choice>>
  key?: readonly string[]
}

const choice = (by: string, given: Fields = {}, of?: string): Choice => ({
  arguments: given,
  by: by.split(' '),
  ...(of !== undefined && { of }),
})

function template(
  name: string,
  fields: Fields,
  signatories: string,
  choices: Record<string, Choice>,
  more: { key?: readonly string[] } = {},
): Template {
  const [, ...entity] = name.split(':')
  return {
    id: `#${name}`,
    entity: entity.join(':'),
    fields,
    ...more,
    signatories: signatories.split(' '),
    choices: { ...choices, Archive: choice(signatories) },
  }
}

const nested: Fields = { a: 'Int64', b: 'Text' }
const key: Fields = { owner: 'Party', id: 'Text' }
const holding = '#conformance-model:Conformance:Holding'
const viewed = '#conformance-views:ConformanceViews:Viewed'
const priced = '#conformance-iface:ConformanceIface:Priced'
const views: Record<string, Choice> = { ReadAmount: choice('owner', {}, viewed) }

export const ping = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'

const builtInTemplates: readonly Template[] = [
  template(ping.slice(1), { id: 'Text', initiator: 'Party', responder: 'Party' }, 'initiator', {
    Respond: choice('responder'),
    AbortPing: choice('=anyone', { anyone: 'Party' }),
  }),
]

const modelTemplates: readonly Template[] = [
  template(
    'conformance-model:Conformance:AllTypes',
    {
      owner: 'Party',
      text: 'Text',
      int: 'Int64',
      decimal: 'Numeric',
      bool: 'Bool',
      date: 'Date',
      time: 'Time',
      unit: 'Unit',
      optionalText: { optional: 'Text' },
      nestedOptional: { optional: { optional: 'Int64' } },
      list: { list: 'Int64' },
      textMap: { textMap: 'Int64' },
      genMap: { pairs: ['Int64', 'Text'] },
      record: { record: nested },
      variant: { variant: { Circle: 'Int64', Square: { record: nested }, Empty: 'Unit' } },
      enum: { enum: ['Red', 'Green', 'Blue'] },
      contract: { optional: { contract: ['Conformance:AllTypes'] } },
    },
    'owner',
    {
      Echo: choice('owner', { value: { record: nested } }),
      Now: choice('owner'),
      Fail: choice('owner', { message: 'Text' }),
      FailWithStatus: choice('owner', { errorId: 'Text', message: 'Text' }),
      Replace: choice('owner', { text: 'Text' }),
    },
  ),
  template(
    'conformance-model:Conformance:Joint',
    { first: 'Party', second: 'Party', observers: { list: 'Party' } },
    'first second',
    { Leave: choice('=party', { party: 'Party' }), Touch: choice('first second') },
  ),
  template('conformance-model:Conformance:Guarded', { owner: 'Party', amount: 'Int64' }, 'owner', {
    Spend: choice('owner', { amount: 'Int64' }),
  }),
  template(
    'conformance-model:Conformance:Asset',
    { issuer: 'Party', owner: 'Party', name: 'Text', amount: 'Int64' },
    'issuer',
    { Rename: choice('owner', { name: 'Text' }, holding), Release: choice('owner', {}, holding) },
  ),
  template(
    'conformance-model:Conformance:Note',
    { author: 'Party', readers: { list: 'Party' }, text: 'Text' },
    'author',
    {},
  ),
  template('conformance-model:Conformance:Delegation', { principal: 'Party', agent: 'Party' }, 'principal', {
    CreateFor: choice('agent', { text: 'Text' }),
    FetchNote: choice('agent', { note: { contract: ['Conformance:Note'] } }),
  }),
  template(
    'conformance-model-keys:ConformanceKeys:Keyed',
    { owner: 'Party', observers: { list: 'Party' }, id: 'Text', text: 'Text' },
    'owner',
    { Rekey: choice('owner', { id: 'Text' }), Close: choice('owner'), Read: choice('owner') },
    { key: ['owner', 'id'] },
  ),
  template(
    'conformance-keys-2:ConformanceKeys2:Keyed',
    { owner: 'Party', observers: { list: 'Party' }, id: 'Text', text: 'Text' },
    'owner',
    {
      LookupAs: choice('=party', { party: 'Party' }),
      FetchAs: choice('=party', { party: 'Party' }),
      ReadAs: choice('=party', { party: 'Party' }),
      CloseAs: choice('=party', { party: 'Party' }),
    },
    { key: ['owner', 'id'] },
  ),
  template('conformance-keys-2:ConformanceKeys2:KeyUser', { agent: 'Party', observers: { list: 'Party' } }, 'agent', {
    FetchByKey: choice('agent', { key: { record: key } }),
    LookupByKey: choice('agent', { key: { record: key } }),
    ExerciseByKey: choice('agent', { key: { record: key } }),
    CloseByKey: choice('agent', { key: { record: key } }),
    CreateAndLookup: choice('agent', { id: 'Text' }),
  }),
  template(
    'conformance-upgrade:ConformanceUpgrade:Upgradable',
    { owner: 'Party', text: 'Text', note: { optional: 'Text' } },
    'owner',
    { Read: choice('owner'), Annotate: choice('owner', { note: 'Text' }) },
  ),
  template('conformance-impl:ConformanceImpl:Item', { owner: 'Party', name: 'Text' }, 'owner', {
    Price: choice('owner', {}, priced),
  }),
  template('conformance-iface:ConformanceIface:Asker', { owner: 'Party' }, 'owner', {
    Ask: choice('owner', { item: { contract: ['ConformanceImpl:Item'] } }),
  }),
  template(
    'conformance-views:ConformanceViews:SoundView',
    { owner: 'Party', observers: { list: 'Party' }, amount: 'Int64', label: 'Text' },
    'owner',
    views,
  ),
  template(
    'conformance-views:ConformanceViews:BrokenView',
    {
      owner: 'Party',
      observers: { list: 'Party' },
      amount: 'Int64',
      failure: { enum: ['Sound', 'Status', 'Error', 'Arithmetic', 'Exception'] },
    },
    'owner',
    views,
  ),
  template(
    'conformance-effects:ConformanceEffects:Token',
    { issuer: 'Party', owner: 'Party', amount: 'Int64' },
    'issuer',
    { Redeem: choice('issuer'), Transfer: choice('owner', { newOwner: 'Party' }) },
  ),
  template('conformance-effects:ConformanceEffects:Desk', { operator: 'Party', users: { list: 'Party' } }, 'operator', {
    Issue: choice('operator', { owner: 'Party', amount: 'Int64' }),
    RedeemFor: choice('=user', { user: 'Party', token: { contract: ['ConformanceEffects:Token'] } }),
    FetchToken: choice('=user', { user: 'Party', token: { contract: ['ConformanceEffects:Token'] } }),
    Announce: choice('operator', { readers: { list: 'Party' }, text: 'Text' }),
    Retire: choice('operator', { readers: { list: 'Party' } }),
    Now: choice('operator'),
    Before: choice('operator', { time: 'Time' }),
    NotBefore: choice('operator', { time: 'Time' }),
  }),
  template(
    'conformance-dependent:ConformanceDependent:Dependent',
    { owner: 'Party', price: { record: { currency: 'Text', amount: 'Numeric' } } },
    'owner',
    { GetPrice: choice('owner') },
  ),
  template('conformance-limits:ConformanceLimits:Many', { owner: 'Party' }, 'owner', {
    CreateMany: choice('owner', { count: 'Depth' }),
    Nest: choice('owner', { depth: 'Depth' }),
  }),
]

export const templatesFor = (hasModel: boolean): readonly Template[] =>
  hasModel ? [...builtInTemplates, ...modelTemplates] : builtInTemplates
