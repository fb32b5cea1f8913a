/** The interface of conformance-model and the template that implements it. */
import { changed, contractId, contractIdValue, field, int64, partiesIn, party, recordValue, text } from './build.js'
import { conformance } from './conformance-module.js'
import type { DamlInterface, InterfaceChoice } from './description.js'

const { id, record, choiceShape, archiveShape, template } = conformance

const view = record('HoldingView', { owner: party, amount: int64 })

const ownerOfView: InterfaceChoice['controllers'] = (contract, _argument, instance) =>
  partiesIn('owner')(instance.view(contract))

export const holding: DamlInterface = {
  id: id('Holding'),
  view,
  choices: [
    { ...archiveShape, controllers: (contract, _argument, _instance, { signatories }) => signatories(contract) },
    {
      ...choiceShape('Rename', { argument: { name: text }, result: contractId }),
      controllers: ownerOfView,
      body: (contract, argument, context, { methods }) => {
        const rename = methods['rename']
        if (!rename) throw new Error('an instance of Holding lacks the method rename')
        return rename(contract, field(argument, 'name'), context)
      },
    },
    { ...choiceShape('Release', {}), controllers: ownerOfView },
  ],
}

export const asset = template('Asset', {
  fields: { issuer: party, owner: party, name: text, amount: int64 },
  signatories: partiesIn('issuer'),
  observers: partiesIn('owner'),
  implements: [
    {
      interface: holding,
      view: (contract) => recordValue(view, { owner: field(contract, 'owner'), amount: field(contract, 'amount') }),
      methods: {
        rename: (contract, name, context) => contractIdValue(context.create(id('Asset'), changed(contract, { name }))),
      },
    },
  ],
})
