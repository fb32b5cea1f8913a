import { execFile } from 'node:child_process'
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { inputReason } from '../lib/files/file-errors.js'
import { readInputText } from '../lib/files/read-input.js'
import { cutText } from '../lib/redaction/redaction.js'
import { hashFor, publicKeyIn, type Signer, SigningError } from './envelope.js'

/** An option would show the passphrase in process lists. */
export const passphraseVariable = 'CONFORM_KEY_PASSPHRASE'

/** Milliseconds; long enough to touch a security token. */
const longest = 120_000

/** PEM. Rejects with `SigningError`. */
export async function keyFile(path: string, passphrase?: string): Promise<Signer> {
  const pem = await readText(path)
  let key: KeyObject
  try {
    key = createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) })
  } catch {
    // The cause could reveal bytes of the key.
    throw new SigningError(unopened(path, /^-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(pem), passphrase))
  }
  const hash = hashFor(key, path)
  return { publicKey: createPublicKey(key), sign: async (bytes) => sign(hash, bytes, key) }
}

/** The first line, because editors add a line end. Rejects with `SigningError`. */
export const passphraseIn = async (path: string): Promise<string> => (await readText(path)).split(/\r?\n/)[0] ?? ''

function unopened(path: string, isLocked: boolean, passphrase: string | undefined): string {
  if (!isLocked) return `${path} contains no private key in PEM format`
  return passphrase === undefined
    ? `the key in ${path} requires a passphrase; give --key-passphrase-file FILE or set ${passphraseVariable}`
    : `the passphrase does not decrypt the key in ${path}`
}

/**
 * The command reads the bytes from standard input and writes the signature, binary or base64. Rejects with
 * `SigningError`, and so does signing.
 */
export async function keyCommand(line: string, publicKeyPath: string): Promise<Signer> {
  const publicKey = publicKeyIn(await readText(publicKeyPath), publicKeyPath)
  return { publicKey, sign: async (bytes) => decoded(await output(line, bytes)) }
}

async function readText(path: string): Promise<string> {
  try {
    return await readInputText(path, 'a key, token or secret')
  } catch (error) {
    throw new SigningError(`the key file ${path} cannot be read (${inputReason(error)})`)
  }
}

const decoded = (bytes: Buffer): Buffer => {
  const text = bytes.toString('latin1').trim()
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : bytes
}

const output = (line: string, bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { timeout: longest, killSignal: 'SIGKILL', maxBuffer: 64 * 1024, encoding: 'buffer' } as const
    const child = execFile('/bin/sh', ['-c', line], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      const how = error.killed ? `took more than ${longest / 1000} s` : `ended with ${error.code ?? error.signal}`
      reject(new SigningError(`the signing command ${how}: ${cutText(stderr.toString('utf8').trim(), 500)}`))
    })
    // A command that reads nothing breaks the pipe.
    child.stdin?.on('error', () => undefined).end(bytes)
  })
