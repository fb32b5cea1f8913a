/** Synchronizer ids in prepared transactions. */

/** From this protocol version on, ids contain version and serial (seen on 3.5.10). */
export const firstPhysical = 35

export const logicalPart = (id: string): string => id.replace(/::\d{1,4}-\d+$/, '')

/** An id without a version has the version before `firstPhysical`. */
export function versionIn(id: string | undefined): number | undefined {
  if (id === undefined) return undefined
  const physical = /::(\d{1,4})-\d+$/.exec(id)?.[1]
  return physical === undefined ? firstPhysical - 1 : Number(physical)
}
