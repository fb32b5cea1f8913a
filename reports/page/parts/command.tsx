import { CopyButton } from './copy-button.js'
import { ScrollText } from './scroll-box.js'

/** A command that was cut would do something else, so one that is too long to show can only be copied. */
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
