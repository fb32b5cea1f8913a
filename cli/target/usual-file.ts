import { access } from 'node:fs/promises'

/** Read from the folder of the call. */
export const usualFile = 'conform.yaml'

export const hasUsualFile = async (): Promise<boolean> => {
  try {
    await access(usualFile)
    return true
  } catch {
    return false
  }
}
