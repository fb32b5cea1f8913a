import { field, moduleOf, partiesIn, party } from './build.js'
import { conformanceDependency, money } from './conformance-dependency.js'
import type { DamlPackage } from './description.js'

const packageId = 'd7adea99d5a4c1d4d9a565fad4ee4170ee67401c517480095a267e6c0326074a'
const { template, choice } = moduleOf(packageId, 'ConformanceDependent')

const dependent = template('Dependent', {
  fields: { owner: party, price: money },
  signatories: partiesIn('owner'),
  choices: [
    choice('GetPrice', {
      consuming: false,
      controllers: partiesIn('owner'),
      result: money,
      body: (contract) => field(contract, 'price'),
    }),
  ],
})

export const conformanceDependent: DamlPackage = {
  id: packageId,
  name: 'conformance-dependent',
  version: '1.0.0',
  language: '2.1',
  dependencies: [conformanceDependency.id],
  templates: [dependent],
  interfaces: [],
}
