import type { Permission } from '../../record/types/effects.js'
import type { Reason } from '../../record/types/reason.js'

/** `hindered`: the run reports the obstacle. `permission`: available with it. */
export type Capability = boolean | Reason | { hindered: Reason } | { permission: Permission; without: Reason }

export type Capabilities = Readonly<Record<string, Capability>>
