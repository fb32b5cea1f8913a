import { allTypes } from './all-types.js'
import {
  changed,
  contractId,
  contractIdIn,
  contractIdValue,
  field,
  int64,
  intIn,
  intValue,
  list,
  none,
  optional,
  partiesIn,
  partiesInArgument,
  party,
  partyList,
  recordValue,
  some,
  text,
  throwException,
} from './build.js'
import { conformance, conformanceModelId } from './conformance-module.js'
import type { DamlPackage } from './description.js'
import { asset, holding } from './holding.js'

const { id, template, choice } = conformance

const joint = template('Joint', {
  fields: { first: party, second: party, observers: list(party) },
  signatories: partiesIn('first', 'second'),
  observers: partiesIn('observers'),
  choices: [
    choice('Leave', { argument: { party }, controllers: partiesInArgument('party') }),
    choice('Touch', { consuming: false, controllers: partiesIn('first', 'second') }),
  ],
})

const guarded = template('Guarded', {
  fields: { owner: party, amount: int64 },
  signatories: partiesIn('owner'),
  ensure: { throws: false, holds: (contract) => intIn(contract, 'amount') > 0n },
  choices: [
    choice('Spend', {
      argument: { amount: int64 },
      controllers: partiesIn('owner'),
      result: optional(contractId),
      body: (contract, argument, context) => {
        const rest = intIn(contract, 'amount') - intIn(argument, 'amount')
        if (rest !== BigInt.asIntN(64, rest)) throwException(context, 'ArithmeticError', 'SUB_INT64 overflows')
        if (rest === 0n) return none
        return some(contractIdValue(context.create(id('Guarded'), changed(contract, { amount: intValue(rest) }))))
      },
    }),
  ],
})

const note = template('Note', {
  fields: { author: party, readers: list(party), text },
  signatories: partiesIn('author'),
  observers: partiesIn('readers'),
})

const delegation = template('Delegation', {
  fields: { principal: party, agent: party },
  signatories: partiesIn('principal'),
  observers: partiesIn('agent'),
  choices: [
    choice('CreateFor', {
      consuming: false,
      argument: { text },
      controllers: partiesIn('agent'),
      result: contractId,
      body: (contract, argument, context) => {
        const noted = {
          author: field(contract, 'principal'),
          readers: partyList(partiesIn('agent')(contract)),
          text: field(argument, 'text'),
        }
        return contractIdValue(context.create(note.id, recordValue(note.argument, noted)))
      },
    }),
    choice('FetchNote', {
      consuming: false,
      argument: { note: contractId },
      controllers: partiesIn('agent'),
      result: note.argument,
      body: (_contract, argument, context) => context.fetch(note.id, contractIdIn(argument, 'note')),
    }),
  ],
})

export const conformanceModel: DamlPackage = {
  id: conformanceModelId,
  name: 'conformance-model',
  version: '1.0.0',
  language: '2.1',
  dependencies: [],
  templates: [allTypes, joint, guarded, asset, note, delegation],
  interfaces: [holding],
}
