import { type ExitCode, exitCode } from '../cli/console/exit-code.js'
import { print } from '../lib/print.js'
import { upperBound } from './false-alarms.js'
import { allThreads, runTasks } from './workers.js'

/** Counts false alarms in shuffled runs against conforming participants. `after`: skips the first runs. Rejects with `TaskFailed`. */
export async function falseAlarmsCommand(runs: number, { after = 0 }: { after?: number }): Promise<ExitCode> {
  const seeds = Array.from({ length: runs }, (_, index) => ({ seed: `clean ${after + index + 1}` }))
  const found = await runTasks('falseAlarms', seeds, allThreads(), ({ seed, profile, rows, variants, alarms }) => {
    print(
      `${seed}, by ${profile}: ${rows} rows, ${alarms.length} false alarms; ${variants.join(', ') || 'no variants'}`,
    )
    for (const { row, verdict, reason } of alarms) print(`    ${row} ${verdict}: ${reason}`)
  })
  const alarmed = found.filter(({ alarms }) => alarms.length > 0).length
  const rows = found.reduce((sum, one) => sum + one.rows, 0)
  const bound = `fewer than ${(upperBound(runs) * 100).toFixed(2)} % of such runs raise a false alarm, with 95 % confidence`
  print(`\n${runs} runs, ${rows} rows, ${alarmed} runs with a false alarm${alarmed === 0 ? `: ${bound}` : ''}`)
  return alarmed === 0 ? exitCode.conforming : exitCode.notConforming
}
