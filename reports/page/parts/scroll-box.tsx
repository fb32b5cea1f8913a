/** Boxes that the keyboard can reach and scroll. */
import type { ComponentChildren, RefObject } from 'preact'

interface ScrollBoxProps {
  name: string
  className?: string
  box?: RefObject<HTMLPreElement | null>
  children: ComponentChildren
}

export function ScrollText({ name, className, box, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y: a scrolling element needs keyboard access, and keyboard access needs a name
    <pre {...(box && { ref: box })} class={className} tabIndex={0} role="group" aria-label={name}>
      {children}
    </pre>
  )
}

interface ScrollTableProps {
  name: string
  columns: string[]
  children: ComponentChildren
}

export function ScrollTable({ name, columns, children }: ScrollTableProps) {
  return (
    // biome-ignore lint/a11y: a scrolling element needs keyboard access, and keyboard access needs a name
    <div class="wide" tabIndex={0} role="group" aria-label={name}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
