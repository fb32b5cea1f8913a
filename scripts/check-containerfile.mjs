/**
 * Follows a Containerfile without a container engine, in a folder for each stage:
 *   node scripts/check-containerfile.mjs [project] [--into FOLDER] [--lend]
 * COPY copies what is there, RUN runs it, and at the end the command of the image is started. It shows that sources exist and
 * commands work, with the Node of this machine; not that the base image can be had. Ends with 1 and the line at fault.
 * With --into the stages are left in that folder, by their numbers. With --lend a stage that asks `npm ci` for what is installed
 * in the project has that, once npm has said that it would install it: that takes a second in place of twenty.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DockerfileParser } from 'dockerfile-ast'

const { values: chosen, positionals } = parseArgs({
  options: { into: { type: 'string' }, lend: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const project = resolve(positionals[0] ?? '.')
const text = readFileSync(join(project, 'Containerfile'), 'utf8')
const ignored = readFileSync(join(project, '.containerignore'), 'utf8').split('\n').filter(Boolean)
const work = chosen.into === undefined ? mkdtempSync(join(tmpdir(), 'containerfile-')) : resolve(chosen.into)

/**
 * What is known of a stage so far. `folder` stands for its root folder, `place` is where commands run, seen from there.
 * @typedef {{ name: string, folder: string, place: string, environment: NodeJS.ProcessEnv, entrypoint: string[], command: string[] }} Stage
 */

/** What npm tells its scripts about the project that they belong to is about another one than that in a stage. */
const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|npm_config_local_prefix$|INIT_CWD$)/i.test(name)),
)

class Fault extends Error {}

/** @param {boolean} holds @param {string} otherwise @returns {asserts holds} */
function require(holds, otherwise) {
  if (!holds) throw new Fault(otherwise)
}

/** @param {string} name @param {number} count @returns {Stage} */
const newStage = (name, count) => ({
  ...{ name, folder: join(work, String(count)), place: '/', entrypoint: [], command: [] },
  environment: { ...ownEnvironment, npm_config_prefer_offline: 'true' },
})

/** The files of a folder that one source of COPY means; `*` stands for any text within a name. */
function sourcesOf(/** @type {string} */ folder, /** @type {string} */ source) {
  if (source === '.')
    return readdirSync(folder)
      .filter((name) => !ignored.includes(name))
      .map((name) => join(folder, name))
  const name = new RegExp(`^${basename(source).replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  const parent = join(folder, dirname(source))
  require(existsSync(parent), `there is no folder ${dirname(source)} to copy from`)
  return readdirSync(parent)
    .filter((each) => name.test(each))
    .map((each) => join(parent, each))
}

/** @param {Stage} stage @param {Map<string, Stage>} stages @param {string[]} given */
function copy(stage, stages, given) {
  const from = given.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const words = given.filter((word) => !word.startsWith('--'))
  require(words.length === 2, 'COPY takes one source and one destination here')
  const [source = '', destination = ''] = words
  const earlier = from === undefined ? undefined : stages.get(from)
  require(from === undefined || earlier !== undefined, `there is no earlier stage ${from}`)
  const found = sourcesOf(earlier ? earlier.folder : project, source)
  require(found.length > 0, `there is nothing to copy: ${source}`)
  const target = join(stage.folder, resolve(stage.place, destination))
  const intoFolder = destination === '.' || destination.endsWith('/')
  require(intoFolder || found.length === 1, `${source} means several files, and ${destination} is one`)
  for (const path of found) cpSync(path, intoFolder ? join(target, basename(path)) : target, { recursive: true })
}

/** @param {Stage} stage @param {string} program @param {string[]} options */
function start({ folder, place, environment }, program, options) {
  const cwd = join(folder, place)
  mkdirSync(cwd, { recursive: true })
  const run = spawnSync(program, options, { cwd, env: environment, encoding: 'utf8', timeout: 600_000 })
  const told = run.error?.message ?? `${run.stdout}${run.stderr}`.trim().split('\n').slice(-20).join('\n')
  require(run.status === 0, `the command failed (${run.status ?? run.signal}):\n${told}`)
}

/** @param {Stage} stage @param {string} command */
function run(stage, command) {
  const isLent = chosen.lend && /^npm ci\b/.test(command) && hasWhatIsInstalled(join(stage.folder, stage.place))
  start(stage, 'sh', ['-ec', isLent ? `${command} --dry-run` : command])
  if (isLent) symlinkSync(join(project, 'node_modules'), join(stage.folder, stage.place, 'node_modules'))
}

/** Whether the folder asks for what the project does. @param {string} folder */
const hasWhatIsInstalled = (folder) =>
  ['package.json', 'package-lock.json'].every(
    (name) =>
      existsSync(join(folder, name)) && readFileSync(join(folder, name)).equals(readFileSync(join(project, name))),
  )

/** A path of the image, as a path of this machine; what the image has by itself, this machine has too. */
const inStage = (/** @type {Stage} */ stage, /** @type {string} */ path) =>
  path.startsWith('/') ? join(stage.folder, path) : stage.environment['PATH']

/** @param {import('dockerfile-ast').Instruction} instruction @param {Stage} stage @param {Map<string, Stage>} stages */
function follow(instruction, stage, stages) {
  const line = instruction.getArgumentsContent() ?? ''
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      stage.place = resolve(stage.place, line)
      return
    case 'COPY':
      // The parser keeps flags apart from arguments.
      copy(stage, stages, (text.split('\n')[instruction.getRange().start.line] ?? '').split(/\s+/).slice(1))
      return
    case 'RUN':
      require(!/(^|[\s='"])\//.test(line), 'RUN names an absolute path, which cannot be tried here')
      run(stage, line)
      return
    case 'ENV':
      require(/^PATH="[^"]+"$/.test(line), 'no other variable than PATH is understood here')
      stage.environment['PATH'] = line
        .slice('PATH="'.length, -1)
        .split(':')
        .map((path) => inStage(stage, path))
        .join(':')
      return
    case 'ENTRYPOINT':
      stage.entrypoint = JSON.parse(line)
      return
    case 'CMD':
      stage.command = JSON.parse(line)
      return
    case 'USER':
    case 'EXPOSE':
      return
    default:
      throw new Fault(`${instruction.getKeyword()} is not understood here`)
  }
}

/** @type {Map<string, Stage>} */
const stages = new Map()
/** @type {Stage | undefined} */
let stage
let at = 0
try {
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    at = instruction.getRange().start.line + 1
    if (instruction.getKeyword() === 'FROM') {
      const [image = '', , name = `stage ${stages.size + 1}`] = instruction
        .getArguments()
        .map((word) => word.getValue())
      require(/^[\w./-]+:[\w.-]+$/.test(image), `the image ${image} has no tag`)
      stage = newStage(name, stages.size)
      stages.set(name, stage)
    } else {
      require(stage !== undefined, 'an instruction before the first FROM')
      follow(instruction, stage, stages)
    }
  }
  require(stage !== undefined, 'there is no FROM')
  const [program = '', ...options] = [...stage.entrypoint, ...stage.command]
  start(stage, program, options)
  console.log(`Containerfile: ${at} lines followed, ${stages.size} stages; ${[program, ...options].join(' ')} works`)
} catch (error) {
  if (!(error instanceof Fault)) throw error
  console.error(`Containerfile:${at}: ${error.message}`)
  process.exitCode = 1
} finally {
  if (chosen.into === undefined) rmSync(work, { recursive: true, force: true })
}
