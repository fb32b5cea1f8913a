import {
  changed,
  contractId,
  contractIdValue,
  field,
  list,
  moduleOf,
  partiesIn,
  party,
  recordValue,
  text,
} from './build.js'
import type { DamlPackage } from './description.js'

const packageId = '2717420a44713f5a69c5ed06cf432f94f22f28c700e290521f576356aba21831'
const { id, record, template, choice } = moduleOf(packageId, 'ConformanceKeys')

const keyType = record('KeyedKey', { owner: party, id: text })

const keyed = template('Keyed', {
  fields: { owner: party, observers: list(party), id: text, text },
  signatories: partiesIn('owner'),
  observers: partiesIn('observers'),
  key: {
    type: keyType,
    of: (contract) => recordValue(keyType, { owner: field(contract, 'owner'), id: field(contract, 'id') }),
    maintainers: partiesIn('owner'),
  },
  choices: [
    choice('Rekey', {
      argument: { id: text },
      controllers: partiesIn('owner'),
      result: contractId,
      body: (contract, argument, context) =>
        contractIdValue(context.create(id('Keyed'), changed(contract, { id: field(argument, 'id') }))),
    }),
    choice('Close', { controllers: partiesIn('owner') }),
    choice('Read', {
      consuming: false,
      controllers: partiesIn('owner'),
      result: text,
      body: (contract) => field(contract, 'text'),
    }),
  ],
})

export const conformanceModelKeys: DamlPackage = {
  id: packageId,
  name: 'conformance-model-keys',
  version: '1.0.0',
  language: '2.3',
  dependencies: [],
  templates: [keyed],
  interfaces: [],
}
