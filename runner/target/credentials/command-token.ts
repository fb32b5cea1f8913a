import { execFile } from 'node:child_process'
import { CredentialError, type CredentialSource, tokenIn } from './credential-source.js'
import { type Clock, HeldToken, lifeOf } from './held-token.js'

/** Milliseconds that a command may take. */
const longest = 30_000

/**
 * What a command prints, which is called again before the token ends. A text is a line for the shell; a list is called as
 * it is. What the command complains of is shown to nobody: it may hold a secret.
 */
export function commandToken(command: string | readonly string[], folder: string, clock: Clock): CredentialSource {
  const [program = '', ...words] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
  const origin = `token by the command ${typeof command === 'string' ? (command.split(' ')[0] ?? '') : program}`
  const held = new HeldToken(async () => {
    const token = tokenIn(await output(program, words, folder, origin), origin)
    return { token, seconds: lifeOf(token, clock.wall()) }
  }, clock)
  return { origin, token: () => held.current() }
}

const output = (program: string, words: readonly string[], cwd: string, origin: string): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program, words, { cwd, timeout: longest, maxBuffer: 1024 * 1024 }, (error, stdout) => {
      if (!error) return resolve(stdout)
      const how = error.killed ? `it took more than ${longest / 1000} s` : `it ended with ${error.code ?? error.signal}`
      reject(new CredentialError(`${origin}: ${how}`))
    })
  })
