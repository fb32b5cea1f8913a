import { options } from 'preact'
import { visible } from '../hostile-text.js'

const shown = (value: unknown): unknown => {
  if (typeof value === 'string') return visible(value)
  return Array.isArray(value) ? value.map(shown) : value
}

/**
 * From now on every text and attribute that gets into the page has its control characters and reordering marks written
 * out. It stands where everything passes, because a single view that forgot it would be enough.
 */
export function showHostileText(): void {
  const before = options.vnode
  options.vnode = (vnode) => {
    if (typeof vnode.type === 'string') {
      // The values of form fields are what the reader typed.
      const own = vnode.type === 'input' ? ['value'] : []
      const props: Record<string, unknown> = vnode.props
      for (const [name, value] of Object.entries(props)) if (!own.includes(name)) props[name] = shown(value)
    }
    before?.(vnode)
  }
}
