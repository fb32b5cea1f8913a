/** Who signs: a key in a file, or a command that holds one. */
import { execFile } from 'node:child_process'
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { inputReason } from '../lib/files/input-error.js'
import { readInputText } from '../lib/files/read-input.js'
import { cutText } from '../lib/redaction/cut-text.js'
import { hashFor, publicKeyIn, type Signer, SigningError } from './envelope.js'
import { passphraseVariable } from './passphrase-variable.js'

/** Milliseconds; a person may have to touch a security token. */
const longest = 120_000

/** A private key in a PEM file, and the passphrase that opens it, where it has one. Throws `SigningError`. */
export async function keyFile(path: string, passphrase?: string): Promise<Signer> {
  const pem = await readText(path)
  let key: KeyObject
  try {
    key = createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) })
  } catch {
    // What is wrong with it would tell of its bytes.
    throw new SigningError(unopened(path, /^-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(pem), passphrase))
  }
  const hash = hashFor(key)
  return { publicKey: createPublicKey(key), sign: async (bytes) => sign(hash, bytes, key) }
}

/** What opens the key: the first line of the file, so that an editor may end it. Throws `SigningError`. */
export const passphraseIn = async (path: string): Promise<string> => (await readText(path)).split(/\r?\n/)[0] ?? ''

function unopened(path: string, isLocked: boolean, passphrase: string | undefined): string {
  if (!isLocked) return `${path} holds no private key in PEM`
  return passphrase === undefined
    ? `the key in ${path} has a passphrase: name a file that holds it (--key-passphrase-file), or put it into the variable ${passphraseVariable}`
    : `the passphrase does not open the key in ${path}`
}

/**
 * A line for the shell, which gets the bytes to be signed on its standard input, and gives the signature on its standard output,
 * as it is or in base64. Throws `SigningError` for a public key that is none; signing rejects with it.
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
    const options = { timeout: longest, maxBuffer: 64 * 1024, encoding: 'buffer' } as const
    const child = execFile('/bin/sh', ['-c', line], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      const how = error.killed ? `took more than ${longest / 1000} s` : `ended with ${error.code ?? error.signal}`
      reject(new SigningError(`the command that signs ${how}: ${cutText(stderr.toString('utf8').trim(), 500)}`))
    })
    // A command that reads nothing breaks the pipe, and has its say by how it ends.
    child.stdin?.on('error', () => undefined).end(bytes)
  })
