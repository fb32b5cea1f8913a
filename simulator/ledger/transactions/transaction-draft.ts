/** Nodes that have no place in their transaction yet, and how they are given one. */
import type { Slices } from '../../base/slices.js'
import type { ExerciseNode, HiddenNode, Interpretation, Node, QueryNode } from './transaction.js'

/** Of each kind by itself: what is left out of a union has no kinds any more. */
type Unnumbered<T> = T extends { id: number } ? Omit<T, 'id' | 'lastDescendant'> : never
export type Leaf = Unnumbered<Exclude<Node, ExerciseNode> | QueryNode>
export type OpenExercise = Omit<Unnumbered<ExerciseNode>, 'result'>

export type Draft =
  | { kind: 'leaf'; node: Leaf }
  | { kind: 'exercise'; node: Unnumbered<ExerciseNode>; children: readonly Draft[] }
  | { kind: 'rollback'; children: readonly Draft[] }

export type NumberedNodes = Pick<Interpretation, 'nodes' | 'hidden' | 'informees'>

/** Some milliseconds. */
const placesPerSlice = 5_000

/** A list of drafts that is being gone through. */
interface Place {
  drafts: readonly Draft[]
  next: number
  /** What lies around them, until it knows where it ends. */
  around: { lastDescendant: number } | undefined
  /** Nobody is told of what was taken back. */
  visible: boolean
}

/**
 * Gives ids depth first: the drafts become the nodes. Exercises may lie in each other as deep as programs make them, so there
 * is no recursion.
 */
export function* numberedNodes(roots: readonly Draft[]): Slices<NumberedNodes> {
  const nodes: Node[] = []
  const hidden: HiddenNode[] = []
  const informees = new Set<string>()
  let [id, places] = [0, 0]
  const open: Place[] = [{ drafts: roots, next: 0, around: undefined, visible: true }]
  for (let place = open.at(-1); place; place = open.at(-1)) {
    places += 1
    if (places % placesPerSlice === 0) yield
    const draft = place.drafts[place.next]
    place.next += 1
    if (!draft) {
      if (place.around) place.around.lastDescendant = id - 1
      open.pop()
      continue
    }
    const node = placed(draft, id)
    id += 1
    const visible = place.visible && node.kind !== 'rollback' && node.kind !== 'query'
    if (visible) {
      nodes.push(node)
      for (const party of node.witnesses) informees.add(party)
    } else hidden.push(node)
    if (draft.kind === 'leaf' || !('lastDescendant' in node)) continue
    open.push({ drafts: draft.children, next: 0, around: node, visible })
  }
  return { nodes, hidden, informees: [...informees].sort() }
}

/** The node that a draft holds becomes one of the transaction. */
function placed(draft: Draft, id: number): HiddenNode {
  if (draft.kind === 'leaf') return Object.assign(draft.node, { id })
  if (draft.kind === 'exercise') return Object.assign(draft.node, { id, lastDescendant: id })
  return { kind: 'rollback', id, lastDescendant: id }
}

/** What was taken back, as one part: one that begins or ends with another takes that one in, and one of nothing is nothing. */
export function takenBack(children: readonly Draft[]): readonly Draft[] {
  const first = children[0]
  const last = children.at(-1)
  if (!first || !last) return []
  if (first.kind === 'rollback' && first === last) return [first]
  const opened = first.kind === 'rollback' ? [...first.children, ...children.slice(1)] : children
  const whole = last.kind === 'rollback' ? [...opened.slice(0, -1), ...last.children] : opened
  return [{ kind: 'rollback', children: whole }]
}
