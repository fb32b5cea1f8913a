import type { ComponentChildren, RefObject } from 'preact'

export interface ScrollBoxProps {
  /** What is in it, for those who hear the page. */
  name: string
  look?: string
  box?: RefObject<HTMLPreElement | null>
  children: ComponentChildren
}

/** Text as it is, in a box that scrolls when it is too long. */
export function ScrollText({ name, look, box, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y: what scrolls must be in reach of the keyboard, and what is in reach must have a name
    <pre {...(box && { ref: box })} class={look} tabIndex={0} role="group" aria-label={name}>
      {children}
    </pre>
  )
}

/** Something wide, mostly a table, in a box that scrolls sideways when there is no room. */
export function ScrollTable({ name, look = '', children }: Omit<ScrollBoxProps, 'box'>) {
  return (
    // biome-ignore lint/a11y: what scrolls must be in reach of the keyboard, and what is in reach must have a name
    <div class={`wide ${look}`} tabIndex={0} role="group" aria-label={name}>
      {children}
    </div>
  )
}
