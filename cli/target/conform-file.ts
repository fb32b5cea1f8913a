/** The file conform.yaml in the current folder, and the form of its option names in commander. */
import { access } from 'node:fs/promises'

export const conformFile = 'conform.yaml'

export const hasConformFile = (): Promise<boolean> =>
  access(conformFile).then(
    () => true,
    () => false,
  )

export const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
