/** Settings of the sequence generator, from options and from the facts of both sides. */
import type { OperationName } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { TokenTemplate } from '../../record/types/resolved-row.js'
import type { VettedPackage } from './vetting.js'

export interface GeneratorSettings {
  /** Of the reference, whose answers the generator reads. */
  variables: ReadonlyMap<string, JsonValue>
  /** Names of external parties. */
  external: readonly string[]
  /** Both sides have the packages of the conformance model. */
  hasModel: boolean
  /** The target requires tokens. */
  hasTokens: boolean
  actors: readonly string[]
  tokens: readonly TokenTemplate[]
  canChangeVetting: boolean
  packages: readonly VettedPackage[]
  /** The one operation under test. */
  only?: OperationName
  /** Default: 2. */
  strength?: number
}
