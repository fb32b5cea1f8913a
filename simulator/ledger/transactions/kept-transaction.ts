/** A ledger stores millions of small transactions, so equal parts are stored once. */
import type { DamlRecord, DamlValue } from '../../../interface/daml-value.js'
import type { KeptNode, Node, Submission } from './transaction.js'

/** Without seeds, which are useless after the commit. */
export const keptNodes = (nodes: readonly Node[], shared: SharedParts): KeptNode[] =>
  nodes.map((node) => {
    const witnesses = shared.list(node.witnesses)
    if (node.kind === 'fetch') return { ...node, witnesses, acting: shared.list(node.acting) }
    if (node.kind === 'create') {
      const { kind, id, contract } = node
      contract.signatories = shared.list(contract.signatories)
      contract.observers = shared.list(contract.observers)
      contract.argument = shared.record(contract.argument)
      return { kind, id, contract, witnesses }
    }
    const { seed: _, ...kept } = node
    const [acting, choiceObservers] = [shared.list(node.acting), shared.list(node.choiceObservers)]
    return Object.assign(kept, { witnesses, acting, choiceObservers })
  })

export const keptSubmission = (submission: Submission, shared: SharedParts): Submission => ({
  ...submission,
  actAs: shared.list(submission.actAs),
  readAs: shared.list(submission.readAs),
})

type Field = DamlRecord['fields'][number]

/** Number of known parts; shared ones stay shared. */
const mostKnown = 10_000

/** Only saves memory. */
export class SharedParts {
  readonly #lists = new Map<string, string[]>()
  readonly #fields = new Map<string, Field>()

  list(parties: string[]): string[] {
    return known(this.#lists, parties.join('\n'), () => parties)
  }

  /** Shares fields that contain a party. */
  record(record: DamlRecord): DamlRecord {
    return { kind: 'record', id: record.id, fields: record.fields.map((field) => this.#field(field)) }
  }

  #field(field: Field): Field {
    const [label, value] = field
    if (value.kind !== 'party') return [label, this.#value(value)]
    return known(this.#fields, `${label}\n${value.value}`, () => {
      const [party = ''] = this.list([value.value])
      return [label, { kind: 'party', value: party }]
    })
  }

  #value(value: DamlValue): DamlValue {
    return value.kind === 'record' ? this.record(value) : value
  }
}

function known<T>(parts: Map<string, T>, key: string, make: () => T): T {
  const found = parts.get(key)
  if (found !== undefined) return found
  if (parts.size >= mostKnown) parts.clear()
  const made = make()
  parts.set(key, made)
  return made
}
