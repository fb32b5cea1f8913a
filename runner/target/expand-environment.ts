import { suspectSecret } from '../../lib/redaction/secrets.js'
import type { FindingList } from '../load/finding-list.js'
import type { Located } from '../load/located.js'

/** How the setting of a token begins that names where the token comes from. */
const source = /^(?:command|env|file):/

const reference = /\$(\$\{|\{([A-Za-z_]\w*)\})/g

/**
 * The value with `${NAME}` in its texts filled from the environment; `$${` stands for `${`. A variable that is not set is a
 * finding, and so is a value that would name a command or a file: only the author of the settings may choose what the program
 * executes. What was filled in is added to `filled`: it may be a secret.
 */
export function expandEnvironment(
  node: Located,
  environment: NodeJS.ProcessEnv,
  findings: FindingList,
  filled: Set<string>,
): Located {
  const expand = (value: Located): Located => expandEnvironment(value, environment, findings, filled)
  const { content } = node
  if (Array.isArray(content)) return { ...node, content: content.map(expand) }
  if (content instanceof Map) {
    const entries = [...content].map(([name, entry]) => [name, { ...entry, value: expand(entry.value) }] as const)
    return { ...node, content: new Map(entries) }
  }
  if (typeof content !== 'string') return node
  const text = content.replace(reference, (found: string, inside: string, name: string | undefined, offset: number) => {
    if (name === undefined) return inside
    const value = environment[name]
    if (value === undefined) {
      const { column } = node.location
      findings.add({ ...node.location, column: column + offset }, `the environment variable ${name} is not set`)
      return found
    }
    filled.add(value)
    suspectSecret(value, `environment variable ${name}`)
    return value
  })
  if (source.test(text) && !source.test(content)) {
    const what = 'a variable must contain the token itself: write command:, env: or file: in front of the variable'
    findings.add(node.location, what)
  }
  return { ...node, content: text }
}
