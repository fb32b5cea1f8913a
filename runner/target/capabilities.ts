import type { Permission } from '../../record/types/effects.js'

/**
 * What a target can or cannot do, by the names that rows need; a text says why it cannot. `hindered`: it could, and something
 * that must not be overlooked stands in the way. `permission`: it could, if the run might do that.
 */
export type Capabilities = Readonly<
  Record<string, boolean | string | { hindered: string } | { permission: Permission; without: string }>
>
