import type { OperationName } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { TokenTemplate } from '../../record/types/resolved-row.js'
import type { VettedPackage } from './vetting.js'

export interface GeneratorSettings {
  /** Of the reference, whose answers the generator reads. */
  variables: ReadonlyMap<string, JsonValue>
  external: readonly string[]
  hasModel: boolean
  hasTokens: boolean
  actors: readonly string[]
  tokens: readonly TokenTemplate[]
  canChangeVetting: boolean
  packages: readonly VettedPackage[]
  only?: OperationName
}
