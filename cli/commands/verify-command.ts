import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { certificateName } from '../../certificate/bundle.js'
import { publicKeyIn } from '../../certificate/envelope.js'
import type { BundleFinding } from '../../certificate/finding.js'
import { type Verification, verifyBundle } from '../../certificate/verify/verify-bundle.js'
import { type Colors, createColors } from '../../lib/colors.js'
import { readInputText } from '../../lib/files/read-input.js'
import { print } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { configurationLines } from '../../reports/wording/run-text.js'
import { count } from '../../reports/wording/words.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { verifyOptionsOf } from '../output/certified-reports.js'

interface VerifyFlags {
  key?: string
  suite?: string
  challenge?: string
}

/**
 * Exits with 1 if the bundle is altered, contradicts itself or is of a run that does not conform. Exits with 5 if its proof or
 * its run is incomplete, or the signer unknown. Rejects with `UsageError`, `SigningError` and `FindingsError`.
 */
export async function verifyCommand(
  folder: string,
  { key, suite, challenge }: VerifyFlags,
  color: boolean,
): Promise<ExitCode> {
  const signer = key === undefined ? undefined : publicKeyIn(await readInputText(key, 'a key, token or secret'), key)
  if (existsSync(folder) && !existsSync(join(folder, certificateName)))
    throw new UsageError(`bundle: ${folder} contains no ${certificateName}; name the folder of a certified run`)
  const found = await verifyBundle(folder, await verifyOptionsOf({ suite, key: signer, challenge }))
  print(describe(found, signer !== undefined, createColors(color)))
  if (has(found, 'altered')) return exitCode.notConforming
  return signer && !has(found, 'unproven') ? exitCode.conforming : exitCode.incomplete
}

const has = ({ findings }: Verification, kind: BundleFinding['kind']): boolean =>
  findings.some((finding) => finding.kind === kind)

const consequences = {
  altered: '',
  unproven: '; the verifier must trust the signer here',
  stated: '',
  noted: '; this does not affect the certified statement',
} as const

function describe(found: Verification, isKnown: boolean, colors: Colors): string {
  const { findings, operations, certificate, keyFingerprint } = found
  const scope = operations ? [visibleLine(`Scope: ${operations.join(', ')}, and no other operation.`)] : []
  const shown = findings.map(({ kind, what }) =>
    kind === 'altered'
      ? colors.red(visibleLine(`x ${what}`))
      : colors.yellow(visibleLine(`! ${what}${consequences[kind]}`)),
  )
  const lines = [...scope, ...shown]
  if (!certificate) return [...lines, colors.red('Not verified.')].join('\n')
  const { claims, signer, issued } = certificate
  const statement = [
    `${claims.conclusion}`,
    `${claims.target.url} by profile ${claims.profile.name}, ${claims.planned} rows, record ${claims.run.digest}`,
    // Unaltered claims are valid, because they equal the records.
    ...(has(found, 'altered') ? [] : configurationLines(claims)),
    `signed by ${signer.name} at ${issued} with ${keyFingerprint === undefined ? 'an unreadable key' : `the key ${keyFingerprint}`}`,
  ].map((line) => visibleLine(line))
  const isConfirmed = !has(found, 'altered') && !has(found, 'unproven')
  return [
    ...lines,
    ...(isConfirmed ? [] : ['', 'The certificate states:']),
    ...statement,
    conclusionOf(findings, isKnown, colors),
  ].join('\n')
}

function conclusionOf(findings: readonly BundleFinding[], isKnown: boolean, colors: Colors): string {
  const number = (kind: BundleFinding['kind']): number => findings.filter((one) => one.kind === kind).length
  if (number('altered') > 0)
    return colors.red(`Not verified. Findings (x) that contradict the certificate: ${number('altered')}.`)
  if (number('unproven') > 0)
    return colors.yellow(`Not verified: the bundle does not prove ${count(number('unproven'), 'point')} (!) above.`)
  return isKnown
    ? colors.green(
        'Verified: the signature, all files, the suite, the plan, the reports, and every verdict from its evidence.',
      )
    : colors.yellow('Not verified: the signer is not known. Give the public key of the signer (--key FILE).')
}
