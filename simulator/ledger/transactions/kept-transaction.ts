/** What a ledger keeps of a transaction, in as little memory as it takes: millions of small ones are to fit. */
import type { SharedParts } from './shared-parts.js'
import type { KeptNode, Node, Submission } from './transaction.js'

/** The nodes without their seeds: what should arise from them has arisen. */
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
