/** `conform run --dry-run`: what the run would do to its target, as text or as JSON. */
import { print, printData, printError } from '../../lib/print.js'
import { allowWords, type Effects } from '../../record/types/effects.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { count } from '../../reports/wording/words.js'
import type { RunOptions } from '../../runner/preflight/run-options.js'
import { dryRunSuite, type RunObserver } from '../../runner/run/run.js'
import { type ExitCode, exitCode } from './exit-code.js'

type Planned = Parameters<RunObserver['planned']>[0]

/** Makes no folder, writes no file, and changes nothing at the target. Throws as `rehearse` does. */
export async function dryRun(options: RunOptions, asJson: boolean): Promise<ExitCode> {
  const tell = (text: string): void => (asJson ? printError(text) : print(text))
  await dryRunSuite(options, {
    planned: (planned) => (asJson ? printData(JSON.stringify(dataOf(planned), null, 2)) : print(textOf(planned))),
    row: () => undefined,
    notice: (sentence) => tell(`! ${visibleLine(sentence)}`),
  })
  return exitCode.conforming
}

const dataOf = ({ rows, left, forecast: { effects, requests, seconds }, header }: Planned) => ({
  target: { url: header.target.url, version: header.target.version, embedded: header.target.embedded },
  profile: header.profile.name,
  rows: { run: rows, notApplicable: left },
  allowed: header.allowed,
  refusals: header.refusals ?? [],
  wants: header.wants ?? [],
  requests,
  seconds,
  makes: effects,
  leaves: stayingOf(effects),
})

/** Rights are taken back and vetting is put back; users are deactivated, and everything else stays. */
const stayingOf = ({ parties, users, contracts, packages, transactions }: Effects) => ({
  ...{ parties, contracts, packages, transactions },
  deactivatedUsers: users,
})

function textOf({ rows, left, forecast: { effects, requests, seconds }, header }: Planned): string {
  const { target, profile, allowed = [], refusals = [], wants = [] } = header
  const where = target.embedded ? 'the embedded simulator' : visibleLine(target.url)
  const told = (what: string, names: readonly string[]): string =>
    visibleLine(`  ${what}${names.length === 0 ? '' : `: ${names.join(', ')}`}`)
  const { parties, users, rights, contracts, packages, vetting, transactions } = effects
  return [
    'A dry run: nothing was changed.',
    `${rows} rows would run on ${where}, judged by ${profile.name}; ${left} do not apply to this target`,
    `The run may ${allowed.join(', ')}.`,
    'It would make:',
    told(count(parties.length, 'party', 'parties'), parties),
    told(count(users.length, 'user'), users),
    told(
      `rights for ${count(rights.length, 'user')} who are there already`,
      rights.map((one) => `${one.user} (${one.rights.join(', ')})`),
    ),
    told(`${count(contracts.length, 'contract')} that rows need`, contracts),
    told(`${count(packages.length, 'package')} uploaded`, packages),
    told(`${count(vetting.length, 'row')} that change what is vetted, and put it back`, []),
    told(`${count(transactions, 'committed transaction')} at most`, []),
    `It would leave the parties, contracts, packages and transactions; users without rights, and deactivated.`,
    `${requests} requests: about ${seconds} s`,
    ...refusals.map((one) => `${count(one.rows, 'row')} could run with ${allowWords(allowed, one.permissions)}`),
    ...wants.map(({ credentials, rows: some }) =>
      visibleLine(`${count(some, 'row')} could run with a credential for ${credentials.join(' and ')}`),
    ),
  ].join('\n')
}
