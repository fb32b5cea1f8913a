import { execFile } from 'node:child_process'
import { type CredentialSource, credentialProblem, tokenIn } from './credential-source.js'
import { type Clock, HeldToken, lifeOf } from './held-token.js'

/** Milliseconds that a command may take. */
const longest = 30_000

/**
 * What a command prints, which is called again before the token ends. A text is a line for the shell; a list is called as
 * it is. What the command complains of is shown to nobody: it may hold a secret.
 */
export function commandToken(command: string | readonly string[], folder: string, clock: Clock): CredentialSource {
  const [program = '', ...words] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
  const name = typeof command === 'string' ? (command.split(' ')[0] ?? '') : program
  const source = { origin: 'token by a command', place: `token by the command ${name}` }
  const held = new HeldToken(async () => {
    const token = tokenIn(await output(program, words, folder, source), source)
    return { token, seconds: lifeOf(token, clock.wall()) }
  }, clock)
  return { ...source, token: () => held.current() }
}

const output = (
  program: string,
  words: readonly string[],
  cwd: string,
  source: Omit<CredentialSource, 'token'>,
): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program, words, { cwd, timeout: longest, maxBuffer: 1024 * 1024 }, (error, stdout) => {
      if (!error) return resolve(stdout)
      const how = error.killed ? `it took more than ${longest / 1000} s` : `it ended with ${error.code ?? error.signal}`
      reject(credentialProblem(source, how))
    })
  })
