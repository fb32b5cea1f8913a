/** What answers of supporting operations must be for later steps to make anything of it. Those under test are judged instead, but for their size. */
import { excerpt, type JsonValue } from '../../interface/json.js'
import { ProtobufError, readMessage } from '../../interface/protobuf.js'

interface Form {
  /** As in "…, which is no …". */
  name: string
  fits(bytes: Buffer): boolean
}

/** Characters of the longest text that is gone on with: a record keeps no longer ones. */
const longestText = 1024 * 1024

/** Bytes of the shortest hash. */
const shortestHash = 32

/** By operation and place. A transaction of a later version of the protocol is one, too. */
const forms: Readonly<Record<string, Form>> = {
  'prepare /preparedTransaction': { name: 'prepared transaction', fits: isMessage },
  'prepare /preparedTransactionHash': { name: 'hash', fits: ({ length }) => length >= shortestHash },
}

/** Why nobody can go on with the value, as the end of a sentence; undefined where one can. */
export function wrongForm(operation: string, pointer: string, value: JsonValue): string | undefined {
  if (typeof value === 'string' && value.length > longestText)
    return `is a text of ${value.length} characters, which is too long to go on with`
  const form = forms[`${operation} ${pointer}`]
  if (!form) return undefined
  const isBase64 = typeof value === 'string' && value !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(value)
  return isBase64 && form.fits(Buffer.from(value, 'base64'))
    ? undefined
    : `is ${excerpt(value, 60)}, which is no ${form.name}`
}

function isMessage(bytes: Buffer): boolean {
  try {
    return readMessage(bytes).length > 0
  } catch (error) {
    if (error instanceof ProtobufError) return false
    throw error
  }
}
