/** Capabilities of a target. */
import type { Permission } from '../../record/types/effects.js'

/** A string states why a capability is missing. `hindered`: the run must report the obstacle. `permission`: available with it. */
export type Capabilities = Readonly<
  Record<string, boolean | string | { hindered: string } | { permission: Permission; without: string }>
>
