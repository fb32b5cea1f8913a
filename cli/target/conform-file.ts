import { access } from 'node:fs/promises'

export const conformFile = 'conform.yaml'

export const hasConformFile = (): Promise<boolean> =>
  access(conformFile).then(
    () => true,
    () => false,
  )
