import { useState } from 'preact/hooks'
import { ScrollText } from './scroll-box.js'

/** A longer command can only be copied: a part of it could do something else. */
const longest = 12_000

export function Command({ name, command }: { name: string; command: string }) {
  return (
    <div class="command">
      <ScrollText name={name}>
        {command.length > longest ? `# too long to show: ${command.length} characters` : command}
      </ScrollText>
      <CopyButton what={name} text={command} />
    </div>
  )
}

function CopyButton({ what, text }: { what: string; text: string }) {
  const [done, setDone] = useState<'copied' | 'failed'>()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone('copied')
    } catch {
      setDone('failed')
    }
  }
  return (
    <span class="copy">
      <button type="button" aria-label={`Copy: ${what}`} onClick={() => void copy()}>
        Copy
      </button>
      <span role="status">
        {done === 'copied' && 'Copied'}
        {done === 'failed' && 'The browser does not permit this page to copy.'}
      </span>
    </span>
  )
}
