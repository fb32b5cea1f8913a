/** A button that copies a text. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export interface CopyButtonProps {
  /** The copied text, for screen readers. */
  what: string
  text: () => string
  children: ComponentChildren
}

export function CopyButton({ what, text, children }: CopyButtonProps) {
  const [done, setDone] = useState<'copied' | 'failed'>()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setDone('copied')
    } catch {
      setDone('failed')
    }
  }
  return (
    <span class="copy">
      <button type="button" aria-label={`Copy: ${what}`} onClick={() => void copy()}>
        {children}
      </button>
      <span role="status">
        {done === 'copied' && 'Copied'}
        {done === 'failed' && 'The browser does not permit this page to copy.'}
      </span>
    </span>
  )
}
