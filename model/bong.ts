/**
 * The built-in package's larger ping: a proposal gathers validators, then one contract explodes into a binary tree that
 * collapses again. Fields and parties are on record; what the bodies do is drawn from the arguments and results.
 */
import type { DamlRecord, DamlValue } from '../interface/daml-value.js'
import {
  changed,
  contractId,
  contractIdIn,
  contractIdValue,
  type Fields,
  field,
  int64,
  intIn,
  list,
  moduleOf,
  partiesIn,
  partiesInArgument,
  party,
  partyList,
  recordValue,
  text,
  textIn,
  textValue,
  throwException,
  timestamp,
} from './build.js'
import { builtInModule } from './built-in-module.js'
import type { ChoiceContext, DamlType, RecordType, Template } from './description.js'

const { template, choice } = builtInModule('Canton.Internal.Bong')

const standard = moduleOf('5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4', 'DA.Types')
const either = (left: DamlType, right: DamlType): DamlType => standard.variant('Either', { Left: left, Right: right })
const pair = (first: DamlType, second: DamlType): RecordType => standard.record('Tuple2', { _1: first, _2: second })
const eitherValue = (side: 'Left' | 'Right', value: DamlValue): DamlValue => ({
  kind: 'variant',
  id: standard.id('Either'),
  constructor: side,
  value,
})
const pairValue = (first: DamlValue, second: DamlValue): DamlValue =>
  recordValue(pair(contractId, contractId), { _1: first, _2: second })

const abort = (name: string) => choice(name, { argument: { anyone: party }, controllers: partiesInArgument('anyone') })

const assert = (holds: boolean, context: ChoiceContext): void => {
  if (!holds) throwException(context, 'AssertionFailed', 'Assertion failed')
}

const isUnique = (parties: string[]): boolean => new Set(parties).size === parties.length

const start: Fields = { id: text, initiator: party }
const tree: Fields = { ...start, validators: list(party), responders: list(party), path: text }
const mergeFields: Fields = { ...tree, timeout: timestamp }

/** Creates a contract from the fields that its template has in common with the given contract, and others. */
function createFrom(
  contract: DamlRecord,
  { id, argument }: Template,
  more: Record<string, DamlValue>,
  context: ChoiceContext,
): DamlValue {
  const values = { ...Object.fromEntries(contract.fields), ...more }
  return contractIdValue(context.create(id, recordValue(argument, values)))
}

const processCollapse = choice('ProcessCollapse', {
  argument: { winner: party },
  controllers: partiesInArgument('winner'),
})

const collapse: Template = template('Collapse', {
  fields: mergeFields,
  signatories: partiesIn('initiator', 'validators'),
  observers: partiesIn('responders'),
  choices: [processCollapse, abort('AbortCollapse')],
})

const bong: Template = template('Bong', {
  fields: {
    ...start,
    validators: list(party),
    responder: party,
    observers: list(party),
    timeout: timestamp,
  },
  signatories: partiesIn('initiator', 'responder'),
  observers: partiesIn('observers', 'validators'),
  choices: [choice('Ack', { controllers: partiesIn('initiator') }), abort('AbortBong')],
})

const merge: Template = template('Merge', {
  fields: mergeFields,
  signatories: partiesIn('initiator', 'validators'),
  observers: partiesIn('responders'),
  choices: [
    choice('ProcessMerge', {
      argument: { winner: party, leftId: contractId, rightId: contractId },
      controllers: partiesInArgument('winner'),
      result: either(contractId, contractId),
      body: (contract, argument, context) => {
        const winner = field(argument, 'winner')
        const path = textIn(contract, 'path')
        const branches = ['leftId', 'rightId'].map((label) => contractIdIn(argument, label))
        for (const branch of branches) {
          const found = context.fetch(collapse.id, branch)
          assert(textIn(found, 'path') === path && textIn(found, 'id') === textIn(contract, 'id'), context)
        }
        for (const branch of branches) {
          const collapsing = recordValue(processCollapse.argument, { winner })
          context.exercise(collapse.id, branch, processCollapse.name, collapsing)
        }
        if (path === '') {
          const done = { responder: winner, observers: field(contract, 'responders') }
          return eitherValue('Left', createFrom(contract, bong, done, context))
        }
        const shorter = { path: textValue([...path].slice(0, -1).join('')) }
        return eitherValue('Right', createFrom(contract, collapse, shorter, context))
      },
    }),
    abort('AbortMerge'),
  ],
})

const explode: Template = template('Explode', {
  fields: { ...tree, maxLevel: int64, timeout: timestamp },
  signatories: partiesIn('initiator', 'validators'),
  observers: partiesIn('responders'),
  choices: [
    choice('ProcessExplode', {
      argument: { winner: party },
      controllers: partiesInArgument('winner'),
      result: pair(contractId, either(pair(contractId, contractId), pair(contractId, contractId))),
      body: (contract, _argument, context) => {
        const path = textIn(contract, 'path')
        const explodesOn = BigInt([...path].length + 1) < intIn(contract, 'maxLevel')
        const branch = (direction: string): DamlValue =>
          explodesOn
            ? createFrom(contract, explode, { path: textValue(path + direction) }, context)
            : createFrom(contract, collapse, {}, context)
        const branches = pairValue(branch('L'), branch('R'))
        const merging = createFrom(contract, merge, {}, context)
        return pairValue(merging, eitherValue(explodesOn ? 'Left' : 'Right', branches))
      },
    }),
    abort('AbortExplode'),
  ],
})

const proposal: Template = template('BongProposal', {
  fields: {
    ...start,
    candidates: list(party),
    validators: list(party),
    responders: list(party),
    maxLevel: int64,
    timeout: timestamp,
  },
  signatories: partiesIn('initiator', 'validators'),
  observers: partiesIn('candidates', 'responders'),
  ensure: {
    throws: true,
    holds: (contract) => {
      const candidates = partiesIn('candidates')(contract)
      return candidates.length > 0 && isUnique(candidates) && isUnique(partiesIn('validators')(contract))
    },
  },
  choices: [
    choice('Accept', {
      argument: { validator: party },
      controllers: partiesInArgument('validator'),
      result: either(contractId, contractId),
      body: (contract, argument, context) => {
        const accepting = partiesIn('validator')(argument)
        const candidates = partiesIn('candidates')(contract)
        assert(
          accepting.every((validator) => candidates.includes(validator)),
          context,
        )
        const left = candidates.filter((candidate) => !accepting.includes(candidate))
        const validators = partyList([...accepting, ...partiesIn('validators')(contract)])
        if (left.length === 0) {
          const started = { validators, path: textValue('') }
          return eitherValue('Right', createFrom(contract, explode, started, context))
        }
        const next = changed(contract, { candidates: partyList(left), validators })
        return eitherValue('Left', contractIdValue(context.create(proposal.id, next)))
      },
    }),
    abort('AbortBongProposal'),
  ],
})

export const bongTemplates: Template[] = [proposal, bong, explode, merge, collapse]
