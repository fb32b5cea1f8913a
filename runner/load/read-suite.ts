import { join } from 'node:path'
import { suggestion } from '../../lib/suggest.js'
import type { Location, ProfileFile, Suite } from '../suite/suite.js'
import { generatorNames } from '../template/variables.js'
import { checkShape, type ShapedFile } from '../yaml/check-shape.js'
import { FindingList } from '../yaml/finding-list.js'
import type { Located } from '../yaml/located.js'
import { parseYaml } from '../yaml/parse-yaml.js'
import { loadSchemas, type ShapeCheck } from '../yaml/schemas.js'
import { SuiteError } from '../yaml/suite-error.js'
import { digestOf, type SuiteFile, shownPath, textsOf } from '../yaml/suite-files.js'
import { assembleSuite } from './assemble-suite.js'
import type { Reading } from './reading.js'

/** Rejects with `SuiteError`, without consequences of unreadable files. */
export async function readSuite(folder: string, files: readonly SuiteFile[], profile?: ProfileFile): Promise<Suite> {
  const check = await loadSchemas()
  const own: SuiteFile[] = profile ? [{ name: profile.path, kind: 'profile', text: profile.text }] : []
  const texts = textsOf([...files, ...own])
  const findings = new FindingList(texts, (name) => shownPath(name === profile?.path ? name : join(folder, name)))
  const reading: Omit<Reading, 'sequences'> = { findings, references: [], flows: [], requestUses: new Map() }
  if (!files.some(({ kind }) => kind === 'suite')) {
    findings.add(start('suite.yaml'), 'the suite has no suite.yaml', 'create it with the content: version: 0.1.0')
  }
  const all = [...files, ...own]
  const shaped = all.flatMap((file) => shape(file, check, findings))
  const suite = assembleSuite(shaped, unreadable(all, shaped), reading)
  const found = findings.sorted()
  if (found.length > 0) throw new SuiteError(found)
  return { ...suite, profiles: withFile(suite.profiles, profile), digest: digestOf(files), folder, texts }
}

const withFile = (profiles: Suite['profiles'], file: ProfileFile | undefined): Suite['profiles'] =>
  new Map(
    [...profiles].map(([name, profile]) => [
      name,
      file && profile.location.file === file.path ? { ...profile, file } : profile,
    ]),
  )

const start = (file: string): Location => ({ file, line: 1, column: 1 })

function shape(file: SuiteFile, check: ShapeCheck, findings: FindingList): ShapedFile[] {
  const { name, kind, text } = file
  if (kind === undefined) {
    const hint =
      'suite files are suite.yaml, outline.yaml, situations.yaml, sequences.yaml, requests.yaml, actors.yaml, fixtures.yaml, probes.yaml, rules/*.yaml, profiles/*.yaml, requests/*.yaml, fixtures/*.yaml and cases/<operation>/*.yaml'
    findings.add(start(name), 'suites have no file of this name', hint)
    return []
  }
  const root = parseYaml(name, text, findings)
  if (root) checkGenerators(root, findings)
  return root ? [checkShape({ file, kind, root }, check, findings)] : []
}

function unreadable(files: readonly SuiteFile[], shaped: readonly ShapedFile[]): Set<string> {
  const sound = new Set(shaped.filter(({ broken }) => broken.size === 0).map(({ file }) => file))
  return new Set(files.filter((file) => !sound.has(file)).map(({ kind }) => kind ?? ''))
}

/** Such as `$repaet`. */
function checkGenerators({ content }: Located, findings: FindingList): void {
  if (Array.isArray(content)) for (const item of content) checkGenerators(item, findings)
  if (!(content instanceof Map)) return
  for (const { name, key, value } of content.values()) {
    if (/^\$(?!\{)/.test(name) && !generatorNames.includes(name)) {
      findings.add(key, `unknown generator "${name}"`, suggestion(name, generatorNames))
    }
    checkGenerators(value, findings)
  }
}
