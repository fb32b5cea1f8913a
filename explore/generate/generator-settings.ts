import type { OperationName } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { TokenTemplate } from '../../record/types/resolved-row.js'
import type { VettedPackage } from './vetting.js'

/** What both participants let conversations do. */
export interface Stage {
  /** The model's variables, which tell its ids. */
  variables: ReadonlyMap<string, JsonValue>
  external: readonly string[]
  hasModel: boolean
  hasTokens: boolean
  actors: readonly string[]
  tokens: readonly TokenTemplate[]
  may: { topology: boolean }
  packages: readonly VettedPackage[]
  /** The one operation that conversations are about; all of them unless it is given. */
  only?: OperationName
  /** Of how many members every combination of values is tried; 2 unless it is given. */
  strength?: number
}
