/** `conform verify`: whether a bundle is what was certified, and holds. */
import { publicKeyIn } from '../../certificate/envelope.js'
import type { BundleFinding } from '../../certificate/finding.js'
import { type Verification, verifyBundle } from '../../certificate/verify/verify-bundle.js'
import { type Colors, createColors } from '../../lib/colors.js'
import { InputError, inputReason } from '../../lib/files/input-error.js'
import { readInputText } from '../../lib/files/read-input.js'
import { print } from '../../lib/print.js'
import { configurationLines } from '../../reports/wording/configurations.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { count } from '../../reports/wording/words.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { UsageError } from '../console/usage-error.js'
import { verifyOptionsOf } from '../output/certified-reports.js'

interface VerifyFlags {
  key?: string
  /** The suite that the verifier trusts; that of the program unless it is named. */
  suite?: string
  /** The text that the verifier gave to the signer before the run. */
  challenge?: string
}

/**
 * Ends with 1 where the bundle was altered or contradicts itself, and with 5 where it does not prove what it says, or where the
 * signer is not known. Throws `UsageError`, `SigningError` and `SuiteError`.
 */
export async function verifyCommand(
  folder: string,
  { key, suite, challenge }: VerifyFlags,
  color: boolean,
): Promise<ExitCode> {
  const known = key === undefined ? undefined : publicKeyIn(await textOf(key), key)
  const found = await verifyBundle(folder, await verifyOptionsOf({ suite, key: known, challenge })).catch(
    (error: unknown) => {
      if (error instanceof InputError) throw new UsageError(`bundle: ${error.message}`)
      throw error
    },
  )
  print(inWords(found, known !== undefined, createColors(color)))
  if (has(found, 'altered')) return exitCode.notConforming
  return known && !has(found, 'unproven') ? exitCode.conforming : exitCode.incomplete
}

const has = ({ findings }: Verification, kind: BundleFinding['kind']): boolean =>
  findings.some((finding) => finding.kind === kind)

async function textOf(path: string): Promise<string> {
  try {
    return await readInputText(path, 'a key, token or secret')
  } catch (error) {
    throw new UsageError(`key: ${path} cannot be read (${inputReason(error)})`)
  }
}

const ends = {
  altered: '',
  unproven: '; only the signature stands for it',
  stated: '',
  noted: '; without effect on what is certified',
} as const

function inWords(found: Verification, isKnown: boolean, colors: Colors): string {
  const { findings, operations, certificate, keyFingerprint } = found
  const scope = operations ? [visibleLine(`Scope: ${operations.join(', ')}, and no other operation.`)] : []
  const seen = findings.map(({ kind, what }) =>
    kind === 'altered' ? colors.red(visibleLine(`x ${what}`)) : colors.yellow(visibleLine(`! ${what}${ends[kind]}`)),
  )
  const lines = [...scope, ...seen]
  if (!certificate) return [...lines, colors.red('Not verified.')].join('\n')
  const { claims, signer, issued } = certificate
  const said = [
    `${claims.conclusion}`,
    `${claims.target.url} by profile ${claims.profile.name}, ${claims.planned} rows, record ${claims.run.digest}`,
    // What is compared with the records and fits is of the right form.
    ...(has(found, 'altered') ? [] : configurationLines(claims)),
    `signed by ${signer.name} at ${issued} with the key ${keyFingerprint ?? 'that cannot be read'}`,
  ].map((line) => visibleLine(line))
  const isWhole = !has(found, 'altered') && !has(found, 'unproven')
  return [...lines, ...(isWhole ? [] : ['', 'The certificate says:']), ...said, ending(findings, isKnown, colors)].join(
    '\n',
  )
}

function ending(findings: readonly BundleFinding[], isKnown: boolean, colors: Colors): string {
  const number = (kind: BundleFinding['kind']): number => findings.filter((one) => one.kind === kind).length
  if (number('altered') > 0)
    return colors.red(`Not verified: ${count(number('altered'), 'finding')} (x) contradict the certificate.`)
  if (number('unproven') > 0)
    return colors.yellow(`Not verified: the bundle does not prove ${count(number('unproven'), 'point')} (!) above.`)
  return isKnown
    ? colors.green(
        'Verified: the signature, all files, the suite, the plan, the reports, and every verdict from its evidence.',
      )
    : colors.yellow('Not verified: the signer is not known. Give the public key of the signer (--key FILE).')
}
