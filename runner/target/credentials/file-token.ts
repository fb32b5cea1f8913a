import { stat } from 'node:fs/promises'
import { inputReason } from '../../../lib/files/file-errors.js'
import { descriptorOf } from '../../../lib/files/paths.js'
import { readInputText } from '../../../lib/files/read-input.js'
import { CredentialError, type CredentialSource, credentialProblem, tokenIn } from './credential-source.js'

/** Another process renews the token. */
export function fileToken(path: string): CredentialSource {
  const source = { origin: 'token from a file', place: `token from the file ${path}` }
  let read: { version: string; token: string } | undefined
  return {
    ...source,
    token: async () => {
      try {
        const version = await versionOf(path)
        if (read?.version !== version) {
          const text = await readInputText(path, 'a key, token or secret')
          read = { version, token: tokenIn(text, source) }
        }
        return read.token
      } catch (error) {
        if (error instanceof CredentialError) throw error
        throw credentialProblem(source, `it cannot be read (${inputReason(error)})`)
      }
    },
  }
}

/** A pipe delivers its content once. */
async function versionOf(path: string): Promise<string> {
  if (descriptorOf(path) !== undefined) return path
  const { mtimeMs, size, ino } = await stat(path)
  return `${mtimeMs} ${size} ${ino}`
}
