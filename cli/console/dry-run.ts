import { print, printData, printError } from '../../lib/print.js'
import { allowWords, credentialWords, type Effects } from '../../record/types/effects.js'
import { findingText } from '../../reports/wording/finding-text.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { count } from '../../reports/wording/words.js'
import type { RunOptions } from '../../runner/preflight/run-options.js'
import { dryRunSuite, type RunObserver } from '../../runner/run/run.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { profileText } from './run-output.js'

type Planned = Parameters<RunObserver['planned']>[0]

/** Writes no file. Rejects like `dryRunSuite`. */
export async function dryRun(options: RunOptions, asJson: boolean): Promise<ExitCode> {
  await dryRunSuite(options, {
    planned: (planned) => (asJson ? printData(JSON.stringify(dataOf(planned), null, 2)) : print(textOf(planned))),
    row: () => undefined,
    notice: (sentence) => (asJson ? printError : print)(`! ${visibleLine(sentence)}`),
    warning: (finding) => (asJson ? printError : print)(`! ${visibleLine(findingText(finding))}`),
  })
  return exitCode.conforming
}

const dataOf = ({ rows, left, forecast: { effects, requests, duration }, header }: Planned) => ({
  target: { url: header.target.url, version: header.target.version, embedded: header.target.embedded },
  profile: header.profile.name,
  rows: { run: rows, notApplicable: left },
  allowed: header.allowed,
  refusals: header.refusals ?? [],
  wants: header.wants ?? [],
  requests,
  seconds: duration.seconds,
  makes: effects,
  leaves: remainingOf(effects),
})

/** Rights and vetting are restored, and users are deactivated. */
const remainingOf = ({ parties, users, contracts, packages, transactions }: Effects) => ({
  parties,
  contracts,
  packages,
  transactions,
  deactivatedUsers: users,
})

function textOf({ rows, left, forecast: { effects, requests, duration }, header, choice }: Planned): string {
  const { target, allowed = [], refusals = [], wants = [] } = header
  const where = target.embedded ? 'the embedded simulator' : visibleLine(target.url)
  const line = (what: string, names: readonly string[]): string =>
    visibleLine(`  ${what}${names.length === 0 ? '' : `: ${names.join(', ')}`}`)
  const { parties, users, rights, contracts, packages, vetting, transactions } = effects
  return [
    'Dry run: nothing was changed.',
    `${count(rows, 'row')} would run on ${where}, judged by profile ${profileText(choice)}; ${left} would not`,
    `Permitted changes: ${allowed.join(', ')}`,
    'The run would create or change:',
    line(count(parties.length, 'party', 'parties'), parties),
    line(count(users.length, 'user'), users),
    line(
      `rights of ${count(rights.length, 'existing user')}`,
      rights.map((one) => `${one.user} (${one.rights.join(', ')})`),
    ),
    line(`${count(contracts.length, 'contract')} for rows`, contracts),
    line(`${count(packages.length, 'uploaded package')}`, packages),
    line(`vetting, in ${count(vetting.length, 'row')} that restore it`, []),
    line(`at most ${count(transactions, 'committed transaction')}`, []),
    'Afterwards, the parties, contracts, packages and transactions remain. The created users are deactivated and have no rights.',
    `${count(requests, 'request')}, about ${duration.seconds} s${duration.assumesCommits ? ', if a commit takes as long as on Canton 3.5.10' : ''}`,
    ...refusals.map((one) => `${count(one.rows, 'row')} could run with ${allowWords(allowed, one.permissions)}`),
    ...wants.map((want) => visibleLine(`${count(want.rows, 'row')} could run with ${credentialWords(want, allowed)}`)),
  ].join('\n')
}
