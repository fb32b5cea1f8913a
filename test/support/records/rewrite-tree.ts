/**
 * The tree of data with everything in it replaced by what the rule makes of it, the innermost first. The rule gets each item
 * with the name of the property that holds it, or that of the list it stands in; it has to keep to the types of the tree.
 */
export function rewriteTree<T>(tree: T, rule: (item: unknown, name: string) => unknown): T {
  return rewrite(tree, '', rule) as T // as long as the rule keeps to it
}

function rewrite(tree: unknown, name: string, rule: (item: unknown, name: string) => unknown): unknown {
  if (Buffer.isBuffer(tree)) return rule(tree, name)
  if (Array.isArray(tree)) {
    const items = tree.map((item) => rewrite(item, name, rule))
    return rule(items, name)
  }
  if (typeof tree !== 'object' || tree === null) return rule(tree, name)
  const properties = Object.entries(tree).map(([key, item]) => [key, rewrite(item, key, rule)])
  return rule(Object.fromEntries(properties), name)
}
