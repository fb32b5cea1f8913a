/**
 * Measures what a newcomer reads:
 *   npm run measure:reading [-- --list]
 * Prints the lines of each part, and functions and comments of the product. Also prints the source files whose functions run for three tasks.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { runSuite, startSimulator } from '../../api/index.js'
import { loadFromYaml } from '../../runner/load/load-suite.js'
import { executedFiles } from './executed-files.js'
import { median } from './load.js'
import { createFixture, postJson, submit } from './sample-requests.js'
import { startSimulator as startProcess } from './server-process.js'

const project = new URL('../../../', import.meta.url)
const others = ['lab', 'tools', 'test', 'examples']
const sources = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.cjs', '*.css'], {
  cwd: project,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => !/\.d\.[cm]?ts$/.test(file))
const partOf = (file: string): string => others.find((folder) => file.startsWith(`${folder}/`)) ?? 'product'
const textOf = (file: string): string => readFileSync(new URL(file, project), 'utf8')
const linesOf = (text: string): number => text.split('\n').length - 1
const sum = (figures: readonly number[]): number => figures.reduce((total, one) => total + one, 0)

function printLines(): void {
  for (const part of ['product', ...others]) {
    const files = sources.filter((file) => partOf(file) === part)
    const total = sum(files.map((file) => linesOf(textOf(file))))
    console.log(`${`lines of ${part}`.padEnd(30)}${String(total).padStart(7)}  in ${files.length} files`)
  }
}

/** Lines of comments and of each function declaration and method. */
function readSource(file: string): { lines: number; comments: number; functions: number[] } {
  const text = textOf(file)
  const spanOf = ({ start, end }: { start: number; end: number }): number => linesOf(text.slice(start, end)) + 1
  const { program, comments } = parseSync(file, text)
  const functions: number[] = []
  new Visitor({
    FunctionDeclaration: (node) => void functions.push(spanOf(node)),
    FunctionExpression: (node) => void functions.push(spanOf(node)),
  }).visit(program)
  return { lines: linesOf(text), comments: sum(comments.map(spanOf)), functions }
}

function printStyle(): void {
  const read = sources.filter((file) => partOf(file) === 'product' && /\.tsx?$/.test(file)).map(readSource)
  const comments = sum(read.map((one) => one.comments)) / sum(read.map((one) => one.lines))
  console.log(`${'median lines of a function'.padEnd(30)}${median(read.flatMap((one) => one.functions))}`)
  console.log(`${'share of comment lines'.padEnd(30)}${(100 * comments).toFixed(1)} %`)
}

/** The participant is a separate process, so only the runner counts. */
async function runRow(): Promise<void> {
  const participant = await startProcess()
  const { rows } = await runSuite({ target: participant.url, only: 'SAW-WINDOW-OVER/only' })
  await participant.stop()
  if (rows.length !== 1) throw new Error(`${rows.length} rows instead of one`)
}

async function printExecuted(name: string, action: () => Promise<unknown>): Promise<void> {
  const files = await executedFiles(action)
  console.log(`${`files executed for ${name}`.padEnd(40)}${files.length}`)
  if (process.argv.includes('--list')) console.log(files.map((file) => `  ${file}`).join('\n'))
}

printLines()
printStyle()
await printExecuted('reading the suite', () => loadFromYaml(fileURLToPath(new URL('suites', project))))
const simulator = await startSimulator()
const fixture = await createFixture(simulator.url)
await printExecuted('one submission', () => {
  const { path, body } = submit(fixture)
  return postJson(simulator.url, path, JSON.parse(body))
})
await simulator.close()
await printExecuted('one row', runRow)
