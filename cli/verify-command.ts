/** `conform verify`: whether a bundle is what was certified, and holds. */
import { readFile } from 'node:fs/promises'
import picocolors from 'picocolors'
import { publicKeyIn } from '../certificate/envelope.js'
import { type Verification, verifyBundle } from '../certificate/verify-bundle.js'
import { visibleLine } from '../reports/hostile-text.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { recordName } from './results-folder.js'
import { toolDigest } from './tool-digest.js'
import { UsageError } from './usage-error.js'

/** Ends with 1 where something was altered or does not hold, and with 5 where only the signer is not known. Throws `UsageError`, `SigningError`. */
export async function verifyCommand(folder: string, { key }: { key?: string }, color: boolean): Promise<ExitCode> {
  const known = key === undefined ? undefined : publicKeyIn(await textOf(key), key)
  const options = { toolDigest: await toolDigest(), recordName, ...(known && { key: known }) }
  const found = await verifyBundle(folder, options).catch((error: unknown) => {
    if (error instanceof Error && 'syscall' in error)
      throw new UsageError(`bundle: ${folder} cannot be read (${error.message})`)
    throw error
  })
  const isAltered = found.findings.some(({ kind }) => kind === 'altered')
  console.log(inWords(found, isAltered, known !== undefined, picocolors.createColors(color)))
  if (isAltered) return exitCode.notConforming
  return known ? exitCode.conforming : exitCode.incomplete
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`key: ${path} cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
}

const marks = { altered: 'x', noted: '!', unproven: '!' } as const
const ends = {
  altered: '',
  noted: '; without effect on what is certified',
  unproven: '; for that the signature alone stands',
} as const

function inWords(
  { findings, certificate, keyFingerprint }: Verification,
  isAltered: boolean,
  isKnown: boolean,
  colors: ReturnType<typeof picocolors.createColors>,
): string {
  const told = findings.map(({ kind, what }) => visibleLine(`${marks[kind]} ${what}${ends[kind]}`))
  const painted = told.map((line) => (line.startsWith('x') ? colors.red(line) : colors.yellow(line)))
  if (!certificate) return [...painted, colors.red('Not verified.')].join('\n')
  const { claims, signer, issued } = certificate
  const said = [
    `${claims.conclusion}`,
    `${claims.target.url} by profile ${claims.profile.name}, ${claims.planned} rows, record ${claims.run.digest}`,
    `signed by ${signer.name} at ${issued} with the key ${keyFingerprint ?? 'that cannot be read'}`,
  ].map((line) => visibleLine(line))
  if (isAltered) {
    const count = findings.filter(({ kind }) => kind === 'altered').length
    return [
      ...painted,
      '',
      'It says of itself:',
      ...said,
      colors.red(`Not verified: ${count} of the findings stand against it.`),
    ].join('\n')
  }
  const end = isKnown
    ? colors.green('Verified: the signature, all files, the plan, and every verdict from its evidence.')
    : colors.yellow(
        'All of it holds, but nobody said whose key that is: give the public key of the signer (--key FILE).',
      )
  return [...painted, ...said, end].join('\n')
}
