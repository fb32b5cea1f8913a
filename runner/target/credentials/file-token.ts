import { readFile, stat } from 'node:fs/promises'
import { CredentialError, type CredentialSource, tokenIn } from './credential-source.js'

/** The token of a file, which somebody else renews: it is read again when the file has changed. */
export function fileToken(path: string): CredentialSource {
  const origin = `token of the file ${path}`
  let read: { version: string; token: string } | undefined
  return {
    origin,
    token: async () => {
      try {
        const { mtimeMs, size, ino } = await stat(path)
        const version = `${mtimeMs} ${size} ${ino}`
        if (read?.version !== version) read = { version, token: tokenIn(await readFile(path, 'utf8'), origin) }
        return read.token
      } catch (error) {
        if (error instanceof CredentialError) throw error
        throw new CredentialError(`${origin}: it cannot be read (${codeOf(error)})`)
      }
    },
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)
