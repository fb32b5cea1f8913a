import {
  bool,
  changed,
  contractId,
  contractIdValue,
  date,
  field,
  genMap,
  int64,
  list,
  numeric,
  optional,
  partiesIn,
  party,
  text,
  textIn,
  textMap,
  timestamp,
  unit,
} from './build.js'
import { conformance } from './conformance-module.js'

const { id, record, variant, enumeration, template, choice } = conformance

const nested = record('Nested', { a: int64, b: text })
const shape = variant('Shape', { Circle: int64, Square: nested, Empty: unit })
const colour = enumeration('Colour', 'Red', 'Green', 'Blue')

/** One field for every serializable type. */
export const allTypes = template('AllTypes', {
  fields: {
    owner: party,
    text,
    int: int64,
    decimal: numeric(10),
    bool,
    date,
    time: timestamp,
    unit,
    optionalText: optional(text),
    nestedOptional: optional(optional(int64)),
    list: list(int64),
    textMap: textMap(int64),
    genMap: genMap(int64, text),
    record: nested,
    variant: shape,
    enum: colour,
    contract: optional(contractId),
  },
  signatories: partiesIn('owner'),
  choices: [
    choice('Echo', {
      consuming: false,
      argument: { value: nested },
      controllers: partiesIn('owner'),
      result: nested,
      body: (_contract, argument) => field(argument, 'value'),
    }),
    choice('Now', {
      consuming: false,
      controllers: partiesIn('owner'),
      result: timestamp,
      body: (_contract, _argument, context) => ({ kind: 'timestamp', value: context.now() }),
    }),
    choice('Fail', {
      argument: { message: text },
      controllers: partiesIn('owner'),
      body: (_contract, argument, context) =>
        context.fail({ errorId: 'conformance-model/FAIL', message: textIn(argument, 'message'), category: 9 }),
    }),
    choice('FailWithStatus', {
      argument: { errorId: text, message: text },
      controllers: partiesIn('owner'),
      body: (_contract, argument, context) =>
        context.fail({
          errorId: textIn(argument, 'errorId'),
          message: textIn(argument, 'message'),
          category: 8,
          metadata: { choice: 'FailWithStatus' },
        }),
    }),
    choice('Replace', {
      consuming: false,
      argument: { text },
      controllers: partiesIn('owner'),
      result: contractId,
      body: (contract, argument, context) =>
        contractIdValue(context.create(id('AllTypes'), changed(contract, { text: field(argument, 'text') }))),
    }),
  ],
})
