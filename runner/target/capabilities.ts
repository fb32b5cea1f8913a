/** Capabilities of a target. */
import type { Permission } from '../../record/types/effects.js'

/**
 * By the names that rows need; a string is the reason for a missing capability. `hindered`: an obstacle that the run must report.
 * `permission`: available with that permission.
 */
export type Capabilities = Readonly<
  Record<string, boolean | string | { hindered: string } | { permission: Permission; without: string }>
>
