/** Boxes that scroll long text and wide tables; the keyboard can reach them. */
import type { ComponentChildren, RefObject } from 'preact'

export interface ScrollBoxProps {
  /** The content, for screen readers. */
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

export function ScrollTable({ name, className = '', children }: Omit<ScrollBoxProps, 'box'>) {
  return (
    // biome-ignore lint/a11y: a scrolling element needs keyboard access, and keyboard access needs a name
    <div class={`wide ${className}`} tabIndex={0} role="group" aria-label={name}>
      {children}
    </div>
  )
}
