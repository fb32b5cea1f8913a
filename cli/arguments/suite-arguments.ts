/** Commands that read the suite. */
import type { Command } from 'commander'
import { defaultProfile } from '../../reports/wording/shell.js'
import type { Action } from './action.js'

export function addSuiteCommands(program: Command, { color, action }: Action): void {
  const list = program
    .command('list')
    .enablePositionalOptions()
    .description('list the rows of the suite')
    .option(
      '--only <pattern>',
      'only rows whose id, operation or rule matches, or else whose title matches; * matches any text',
    )
    .option('--json', 'print a JSON array')
    .option('--csv', 'print CSV')
    .option('--suite <folder>', 'suite folder (default: the suite of this program)')
    .action(action(async (flags) => (await import('../commands/list/list-command.js')).listCommand(flags)))
  list
    .command('rules')
    .description('list the rules of the interface and the cases that judge them')
    .option(
      '--only <pattern>',
      'only rules whose id, section or operation matches, or else whose statement matches; * matches any text',
    )
    .option('--json', 'print a JSON array')
    .option('--csv', 'print CSV')
    .option('--text <file>', 'interface text, whose sentences are quoted beside the rules')
    .option('--suite <folder>', 'suite folder (default: the suite of this program)')
    .action(action(async (flags) => (await import('../commands/list/list-rules-command.js')).listRulesCommand(flags)))

  list
    .command('support')
    .description('list the supporting operations in the order that makes most rows runnable')
    .option('--operations <names...>', 'the operations that the participant has and the rows test (default: all)')
    .option('--given', 'the settings state parties, contracts and the synchronizer')
    .option('--shapes', 'print the request and the smallest usable answer of each operation')
    .option('--json', 'print a JSON array')
    .option('--csv', 'print CSV')
    .option('--markdown', 'print a table of docs/reference/support.md')
    .option('--suite <folder>', 'suite folder (default: the suite of this program)')
    .action(
      action(async (flags) => (await import('../commands/list/list-support-command.js')).listSupportCommand(flags)),
    )

  program
    .command('show')
    .description('show the requests and expectations of a row, with their rules and sources')
    .argument('<row>', 'id of a row, or a pattern of id, operation or rule; * matches any text')
    .option('--profile <name or file>', `profile that judges the row (default: ${defaultProfile})`)
    .option('--protocol-version <n>', 'protocol version of the synchronizer (default: the highest of the profile)')
    .option('--config <file>', 'target file with any of these options')
    .option('--json', 'print the resolved row: one line of JSON for each row')
    .option('--text <file>', 'interface text, whose sentences are quoted beside the rules')
    .option('--suite <folder>', 'suite folder (default: the suite of this program)')
    .action(action(async (row: string, flags) => (await import('../commands/show-command.js')).showCommand(row, flags)))

  program
    .command('lint')
    .description('check the suite files and print errors with file, line and column')
    .option('--suite <folder>', 'suite folder (default: the suite of this program)')
    .action(action(async (flags) => (await import('../commands/lint-command.js')).lintCommand({ ...flags, color })))
}
