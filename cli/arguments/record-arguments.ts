/** Commands that read recorded runs. */
import type { Command } from 'commander'
import { defaultResults } from '../../reports/wording/shell.js'
import { diffFormats, reportFormats } from '../output/formats.js'
import { suggestWords } from '../target/setting-options.js'
import type { Action } from './action.js'

export function addRecordCommands(program: Command, { color, action }: Action): void {
  program
    .command('verify')
    .description('check the signature of a certified bundle, and judge every verdict again from its evidence')
    .argument('<bundle>', 'folder written by conform certify')
    .option('--key <file>', 'public key (PEM) of the expected signer')
    .option('--suite <folder>', 'the suite to compare with (default: the suite of this program)')
    .option('--challenge <text>', 'the text that you gave to the signer; the seed of the run must be derived from it')
    .action(
      action(async (bundle: string, flags) =>
        (await import('../commands/verify-command.js')).verifyCommand(bundle, flags, color),
      ),
    )

  program
    .command('report')
    .description('write the reports of an earlier run from its record')
    .argument('<run>', 'run record, its folder, or the results folder for the newest run')
    .option(
      '--format <names...>',
      `reports to write: all, or some of ${reportFormats.join(', ')}; github prints annotations of a workflow`,
      ['all'],
    )
    .option('--out <folder>', 'folder for the reports (default: the folder of the record)')
    .option(
      '--profile <name>',
      'judge the evidence of the run again by this profile of the suite, or by a profile file',
    )
    .option('--suite <folder>', 'the suite of the run, with the profiles (default: the suite of this program)')
    .option('--text <file>', 'interface text, whose sentences are quoted beside the rules')
    .option('--baseline <run>', 'earlier run: regressions are first in each report, and github annotates only these')
    .option('--suggest-waivers', suggestWords)
    .action(
      action(async (run: string, flags) =>
        (await import('../commands/report-command.js')).reportCommand(run, { ...flags, color }),
      ),
    )

  program
    .command('record')
    .description('print the record of a run as JSON lines, for programs such as jq')
    .argument('[run]', 'run record, its folder, or the results folder for the newest run', defaultResults)
    .argument('[rows...]', 'ids of rows, or patterns with *: prints only their lines')
    .action(
      action(async (run: string, rows: string[]) =>
        (await import('../commands/record-command.js')).recordCommand(run, rows),
      ),
    )

  program
    .command('merge')
    .description('merge the shards of a run (--shard) and write the reports of one run')
    .argument('<runs...>', 'run records, their folders, or results folders for their newest runs')
    .option('--out <folder>', 'results folder; the merged run has its own folder in it', defaultResults)
    .option('--baseline <run>', 'earlier run: only regressions against it fail this run')
    .action(
      action(async (runs: string[], flags) =>
        (await import('../commands/merge-command.js')).mergeCommand(runs, { ...flags, color }),
      ),
    )

  program
    .command('compare')
    .description('write one HTML page over several runs: participants side by side, or the nights of one participant')
    .argument('<runs...>', 'run records, or folders that contain runs at any depth')
    .option('--out <file>', 'HTML file to write', 'compare.html')
    .action(
      action(async (runs: string[], flags) =>
        (await import('../commands/compare-command.js')).compareCommand(runs, flags),
      ),
    )

  program
    .command('diff')
    .description('compare two runs; exits with 1 only for regressions')
    .argument('<before>', 'run record, its folder, or the results folder for the newest run')
    .argument('<after>', 'record, folder or results folder of the later run')
    .option('--format <names...>', `output formats: ${diffFormats.join(', ')}`, ['console'])
    .option('--times', 'also report operations that are much slower or faster')
    .option('--out <folder>', 'folder for all formats except console (default: print to standard output)')
    .action(
      action(async (before: string, after: string, flags) => {
        const { diffCommand } = await import('../commands/diff-command.js')
        return diffCommand(before, after, { ...flags, color })
      }),
    )
}
