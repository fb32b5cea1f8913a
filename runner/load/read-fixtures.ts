import { preparedHash } from '../../interface/prepared-transaction/hash.js'
import type { Shapes } from '../suite/shapes.js'
import type { Fixture } from '../suite/suite.js'
import { dataOf, type Entry, type Located, member, omitUndefined } from '../yaml/located.js'
import { flowStep, readSteps, stepsAt, toStep } from './read-step.js'
import { type Reading, valueSteps, valuesOf, valuesOfRow } from './reading.js'

export function readFixture({ name, key: location, value }: Entry<Shapes['fixture']>, reading: Reading): Fixture {
  const { party, key, prepared, controls } = dataOf(value)
  const nodes = stepsAt(member(value, 'steps'), reading)
  const values = valuesOf(value)
  reading.flows.push({ steps: [...valueSteps(values), ...nodes.map(flowStep)], fixture: name })
  checkPrepared(member(value, 'prepared'), reading)
  return {
    name,
    ...omitUndefined({
      party: party && partyOf(party),
      key,
      prepared: prepared && { transaction: prepared.transaction, hash: prepared.hash },
      controls,
    }),
    values: valuesOfRow(undefined, values, reading),
    steps: readSteps(nodes, reading).map(toStep),
    location,
  }
}

function partyOf({ hint, keys = [], threshold = 1, everywhere }: Shapes['party']): NonNullable<Fixture['party']> {
  const [first, ...more] = keys
  return first === undefined
    ? { hint, ...(everywhere && { everywhere }) }
    : { hint, external: { keys: [first, ...more], threshold } }
}

/** Rows use the hash as a known value. */
function checkPrepared(node: Located<Shapes['prepared']> | undefined, { findings }: Reading): void {
  if (!node) return
  const { transaction, hash, scheme } = dataOf(node)
  const own = preparedHash(transaction, scheme)
  const location = member(node, 'hash')?.location ?? node.location
  if (own === undefined) findings.add(node.location, 'this is not a prepared transaction', 'give its bytes as base64')
  else if (own !== hash)
    findings.add(location, `this is not the hash of the transaction under scheme ${scheme}`, `the hash is ${own}`)
}
