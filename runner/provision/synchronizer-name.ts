/** The name of the synchronizer in prepared transactions; it contains the protocol version. */

/** The first protocol version whose transactions add version and serial to the id; 34 does not (seen on 3.5.10). */
export const firstPhysical = 35

/** The id without version and serial. */
export const logicalPart = (id: string): string => id.replace(/::\d{1,4}-\d+$/, '')

/** An id without a version has the version before `firstPhysical`. */
export function versionIn(id: string | undefined): number | undefined {
  if (id === undefined) return undefined
  const physical = /::(\d{1,4})-\d+$/.exec(id)?.[1]
  return physical === undefined ? firstPhysical - 1 : Number(physical)
}
