import { lstat } from 'node:fs/promises'
import { systemCode } from '../../lib/files/file-errors.js'

export const conformFile = 'conform.yaml'

/** Also one that cannot be opened, such as a dangling link: its reader reports it, and no call falls back to the simulator. */
export const hasConformFile = (): Promise<boolean> =>
  lstat(conformFile).then(
    () => true,
    (error: unknown) => systemCode(error) !== 'ENOENT',
  )
