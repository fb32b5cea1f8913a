/** How prepared transactions name their synchronizer, which tells its protocol version. */

/** The first version with which transactions name the synchronizer with its version and serial; 34 does not (seen on 3.5.10). */
export const firstPhysical = 35

/** The id without version and serial. */
export const logicalPart = (id: string): string => id.replace(/::\d{1,4}-\d+$/, '')

/** The version in the name; a name without one is that of the version before. */
export function versionIn(id: string | undefined): number | undefined {
  if (id === undefined) return undefined
  const physical = /::(\d{1,4})-\d+$/.exec(id)?.[1]
  return physical === undefined ? firstPhysical - 1 : Number(physical)
}
