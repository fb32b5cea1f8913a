import type { Permission } from '../../record/types/effects.js'

/** A string states why it is missing. `hindered`: the run reports the obstacle. `permission`: available with it. */
export type Capabilities = Readonly<
  Record<string, boolean | string | { hindered: string } | { permission: Permission; without: string }>
>
