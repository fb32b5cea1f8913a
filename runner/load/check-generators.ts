import { suggestion } from '../../interface/suggest.js'
import { generatorNames } from '../template/variables.js'
import type { FindingList } from './finding-list.js'
import type { Located } from './located.js'

/** A member that begins with `$` describes a value to be made: a misspelt one would only be noticed when it is sent. */
export function checkGenerators({ content }: Located, findings: FindingList): void {
  if (Array.isArray(content)) for (const item of content) checkGenerators(item, findings)
  if (!(content instanceof Map)) return
  for (const { name, key, value } of content.values()) {
    if (/^\$(?!\{)/.test(name) && !generatorNames.includes(name)) {
      findings.add(key, `nothing makes a value out of "${name}"`, suggestion(name, generatorNames))
    }
    checkGenerators(value, findings)
  }
}
