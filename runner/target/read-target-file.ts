import { readFile } from 'node:fs/promises'
import { checkShape } from '../load/check-shape.js'
import { FindingList } from '../load/finding-list.js'
import { given, itemsOf, type Located, member, optionalNumber, optionalText, textOf } from '../load/located.js'
import { parseYaml } from '../load/parse-yaml.js'
import { loadSchemas } from '../load/schemas.js'
import { shownPath } from '../load/suite-files.js'
import { readPresignedParties } from './presigned-parties.js'
import { readTarget, TargetSettingError } from './target.js'
import { type TargetFile, unreachableOperations } from './target-file.js'
import { TargetFileError } from './target-file-error.js'

/**
 * Reads a target file (YAML, or JSON). Throws `TargetFileError` with everything that is wrong, each at its line and column;
 * presigned transactions must be right and fresh: `now` is the time to hold them against.
 */
export async function readTargetFile(path: string, now: Date): Promise<TargetFile> {
  const shown = shownPath(path)
  const text = await textAt(path, shown)
  // Findings show the line that they are about.
  const findings = new FindingList(new Map(mayHoldSecret(text) ? [] : [[shown, text]]))
  const root = mapIn(parseYaml(shown, text, findings), findings)
  const file = { name: shown, shown, kind: 'target' as const, text }
  const shaped = root && checkShape({ file, kind: 'target', root }, await loadSchemas(), findings)
  const read = shaped?.broken.size === 0 ? readRoot(shaped.root, shown, now, findings) : undefined
  const found = findings.sorted()
  if (found.length > 0 || !read) throw new TargetFileError(found)
  return read
}

async function textAt(path: string, shown: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const message = `the target file cannot be read: ${error instanceof Error ? error.message : String(error)}`
    throw new TargetFileError([{ location: { file: shown, line: 1, column: 1 }, message, sourceLine: '' }])
  }
}

/** However the secret is spelt, over however many lines. */
const mayHoldSecret = (text: string): boolean => /authori[sz]ation|hs256|secret|token/i.test(text)

/** What is no map at all is told without its content, which may be anything. */
function mapIn(root: Located | undefined, findings: FindingList): Located | undefined {
  if (!root || root.content instanceof Map) return root
  findings.add(root.location, 'a target file is a map', 'write, as an example: target: https://participant.example')
  return undefined
}

function readRoot(root: Located, file: string, now: Date, findings: FindingList): TargetFile {
  const unreachable = member(root, 'unreachable')
  const names = new Set(itemsOf(unreachable).map(textOf))
  const parties = member(root, 'presigned')
  if (parties && !names.has('prepare')) {
    const message = 'presigned transactions are given although the target prepares them itself'
    findings.add(parties.location, message, 'if it does not, say so: unreachable: [prepare]')
  }
  checkSettings(root, findings)
  return {
    file,
    ...given({
      url: optionalText(root, 'target'),
      authorization: optionalText(root, 'authorization'),
      protocolVersion: optionalNumber(root, 'protocol-version'),
      synchronizerId: optionalText(root, 'synchronizer'),
    }),
    unreachable: new Set(unreachableOperations.filter((name) => names.has(name))),
    presigned: readPresignedParties(itemsOf(parties), now, findings),
  }
}

function checkSettings(root: Located, findings: FindingList): void {
  const settings: [node: Located | undefined, read: (text: string) => unknown][] = [
    [member(root, 'target'), (text) => readTarget(text, 'none')],
    [member(root, 'authorization'), (text) => readTarget('http://127.0.0.1', text)],
  ]
  for (const [node, read] of settings) {
    try {
      if (node) read(textOf(node))
    } catch (error) {
      if (!(error instanceof TargetSettingError)) throw error
      if (node) findings.add(node.location, error.message)
    }
  }
}
