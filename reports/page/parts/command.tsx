/** A shell command with a button that copies it. */
import { CopyButton } from './copy-button.js'
import { ScrollText } from './scroll-box.js'

/** A longer command can only be copied: a part of it could do something else. */
const longest = 12_000

export function Command({ name, command }: { name: string; command: string }) {
  return (
    <div class="command">
      <ScrollText name={name}>
        {command.length > longest ? `# too long to show: ${command.length} characters` : command}
      </ScrollText>
      <CopyButton what={name} text={() => command}>
        Copy
      </CopyButton>
    </div>
  )
}
