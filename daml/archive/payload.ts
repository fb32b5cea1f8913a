import { createHash } from 'node:crypto'
import { ArchiveError, inPlace } from '../decode/archive-error.js'
import { Message } from '../decode/wire.js'
import type { LanguageVersion } from '../language/package.js'

export interface Payload {
  packageId: string
  language: LanguageVersion
  /** The package id is their SHA-256. */
  bytes: Uint8Array
  /** The encoded package. */
  package: Uint8Array
}

const languages: Readonly<Record<string, LanguageVersion>> = { '1': '2.1', '2': '2.2', '3': '2.3' }

/** Checks the hash. `place` names the archive in messages. Throws `ArchiveError`. */
export function readPayload(bytes: Uint8Array, place: string): Payload {
  const archive = inPlace(place, () => new Message(bytes))
  const payload = archive.bytes(3)
  const announced = archive.text(4)
  if (archive.int32(1) !== 0) throw new ArchiveError('ARCHIVE', `${place} has a hash of an unknown kind`)
  if (!payload) throw new ArchiveError('ARCHIVE', `${place} contains no package`)
  const found = openPayload(payload, place)
  if (found.packageId !== announced) {
    throw new ArchiveError(
      'ARCHIVE',
      `${place} states the hash ${announced}, but its bytes have the hash ${found.packageId}`,
    )
  }
  return found
}

export function openPayload(payload: Uint8Array, place: string): Payload {
  const { isOld, content, minor, patch } = inPlace(place, () => fieldsOf(new Message(payload)))
  if (isOld) throw new ArchiveError('LANGUAGE_VERSION', `${place} is of Daml-LF 1, which is not supported`)
  if (!content) throw new ArchiveError('ARCHIVE', `${place} contains no package of Daml-LF 2`)
  const language = Object.hasOwn(languages, minor) ? languages[minor] : undefined
  if (!language || patch !== 0) {
    const found = `2.${minor}${patch === 0 ? '' : ` patch ${patch}`}`
    throw new ArchiveError('LANGUAGE_VERSION', `${place} is of Daml-LF ${found}; 2.1, 2.2 and 2.3 are supported`)
  }
  const packageId = createHash('sha256').update(payload).digest('hex')
  return { packageId, language, bytes: payload, package: content }
}

const fieldsOf = (message: Message) => ({
  isOld: message.has(2),
  content: message.bytes(4),
  minor: message.text(3),
  patch: message.int32(5),
})
