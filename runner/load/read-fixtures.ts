/** Reads fixtures. */
import type { OperationName } from '../../interface/operations.js'
import { preparedHash, schemeNamed } from '../sign/prepared-hash.js'
import { type KeyKind, keyKinds } from '../sign/signing-key.js'
import type { Fixture } from '../suite/suite.js'
import {
  type Entry,
  itemsOf,
  type Located,
  member,
  omitUndefined,
  optionalText,
  textAt,
  textOf,
} from '../yaml/located.js'
import { stepsAt } from './expand-sequences.js'
import { flowStep, readSteps, toStep } from './read-step.js'
import type { Reading } from './reading.js'
import { valueSteps, valuesOf, valuesOfRow } from './variable-flow.js'

export function readFixture({ name, key: location, value }: Entry, reading: Reading): Fixture {
  const [party, key, prepared] = ['party', 'key', 'prepared'].map((kind) => member(value, kind))
  const nodes = stepsAt(value, 'steps', reading)
  const values = valuesOf(value)
  reading.flows.push({ steps: [...valueSteps(values), ...nodes.map(flowStep)], fixture: name })
  return {
    name,
    ...omitUndefined({
      party: party && readParty(party),
      key: key && keyKind(key),
      prepared: prepared && readPrepared(prepared, reading),
      controls: optionalText(value, 'controls') as OperationName | undefined, // by schema
    }),
    values: valuesOfRow(undefined, values, reading),
    steps: readSteps(nodes, reading).map(toStep),
    location,
  }
}

function readParty(node: Located): NonNullable<Fixture['party']> {
  const hint = textAt(node, 'hint')
  const [first, ...more] = itemsOf(member(node, 'keys')).map(keyKind)
  if (first === undefined) return { hint, ...(member(node, 'everywhere') && { everywhere: true }) }
  const threshold = member(node, 'threshold')?.content
  return { hint, external: { keys: [first, ...more], threshold: typeof threshold === 'number' ? threshold : 1 } }
}

/** Rows use the hash as a known value, so a wrong one is reported. */
function readPrepared(node: Located, { findings }: Reading): NonNullable<Fixture['prepared']> {
  const [transaction, hash] = [textAt(node, 'transaction'), textAt(node, 'hash')]
  const scheme = schemeNamed(textAt(node, 'scheme')) ?? 'V2'
  const own = preparedHash(transaction, scheme)
  const location = member(node, 'hash')?.location ?? node.location
  if (own === undefined) findings.add(node.location, 'this is not a prepared transaction', 'give its bytes as base64')
  else if (own !== hash)
    findings.add(location, `this is not the hash of the transaction under scheme ${scheme}`, `the hash is ${own}`)
  return { transaction, hash }
}

const keyKind = (node: Located): KeyKind => keyKinds.find((kind) => kind === textOf(node)) ?? 'ed25519' // by schema
