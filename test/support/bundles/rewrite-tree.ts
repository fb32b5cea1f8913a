/** Innermost first. `name`: the property of the item or its array. The rule must keep types. */
export function rewriteTree<T>(tree: T, rule: (item: unknown, name: string) => unknown): T {
  return rewrite(tree, '', rule) as T // the rule keeps the types
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
