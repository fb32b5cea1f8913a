import type { Slices } from '../../base/slices.js'
import type { ExerciseNode, HiddenNode, Interpretation, Node, QueryNode } from './transaction.js'

/** Distributive, because `Omit` of a union loses its kinds. */
type Unnumbered<T> = T extends { id: number } ? Omit<T, 'id' | 'lastDescendant'> : never
export type Leaf = Unnumbered<Exclude<Node, ExerciseNode> | QueryNode>
export type OpenExercise = Omit<Unnumbered<ExerciseNode>, 'result'>

export type Draft =
  | { kind: 'leaf'; node: Leaf }
  | { kind: 'exercise'; node: Unnumbered<ExerciseNode>; children: readonly Draft[] }
  | { kind: 'rollback'; children: readonly Draft[] }

export type NumberedNodes = Pick<Interpretation, 'nodes' | 'hidden' | 'informees'>

/** A few milliseconds of work. */
const placesPerSlice = 5_000

interface Place {
  drafts: readonly Draft[]
  next: number
  /** The parent, whose last descendant is not yet known. */
  around: { lastDescendant: number } | undefined
  /** False within a rollback. */
  visible: boolean
}

/** Numbers the drafts depth first. Iterative, because programs can nest exercises deeply. */
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

function placed(draft: Draft, id: number): HiddenNode {
  if (draft.kind === 'leaf') return Object.assign(draft.node, { id })
  if (draft.kind === 'exercise') return Object.assign(draft.node, { id, lastDescendant: id })
  return { kind: 'rollback', id, lastDescendant: id }
}

/** One rollback node; it absorbs a rollback at its start or end. */
export function rolledBack(children: readonly Draft[]): readonly Draft[] {
  const first = children[0]
  const last = children.at(-1)
  if (!first || !last) return []
  if (first.kind === 'rollback' && first === last) return [first]
  const opened = first.kind === 'rollback' ? [...first.children, ...children.slice(1)] : children
  const whole = last.kind === 'rollback' ? [...opened.slice(0, -1), ...last.children] : opened
  return [{ kind: 'rollback', children: whole }]
}
