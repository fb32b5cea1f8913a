/**
 * Checks a Containerfile without a container engine, with a folder for each stage. Usage:
 *   node tools/checks/check-containerfile.mjs [project] [--into FOLDER] [--lend].
 * Performs COPY and RUN and starts the command of the image, with the Node of this machine. Does not pull the base image. Exits with 1 and
 * prints the line of the first error. With --into, the folders of the stages remain. With --lend, a stage with the lock of the project uses
 * its node_modules after a dry run of `npm ci`, which saves about twenty seconds.
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
 * `folder`: the root folder of the stage; `place`: the working directory in it.
 * @typedef {{ name: string, folder: string, place: string, environment: NodeJS.ProcessEnv, entrypoint: string[], command: string[] }} Stage
 */

/** The environment without the variables of npm about this project. */
const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|npm_config_local_prefix$|INIT_CWD$)/i.test(name)),
)

class Fault extends Error {}

/** @param {boolean} holds @param {string} problem @returns {asserts holds} */
function require(holds, problem) {
  if (!holds) throw new Fault(problem)
}

/** @param {string} name @param {number} count @returns {Stage} */
const newStage = (name, count) => ({
  ...{ name, folder: join(work, String(count)), place: '/', entrypoint: [], command: [] },
  environment: { ...ownEnvironment, npm_config_prefer_offline: 'true' },
})

/** The files of a source of COPY; `*` matches any part of a name. */
function sourcesOf(/** @type {string} */ folder, /** @type {string} */ source) {
  if (source === '.')
    return readdirSync(folder)
      .filter((name) => !ignored.includes(name))
      .map((name) => join(folder, name))
  const name = new RegExp(`^${basename(source).replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  const parent = join(folder, dirname(source))
  require(existsSync(parent), `the folder ${dirname(source)} does not exist`)
  return readdirSync(parent)
    .filter((each) => name.test(each))
    .map((each) => join(parent, each))
}

/** @param {Stage} stage @param {Map<string, Stage>} stages @param {string[]} given */
function copy(stage, stages, given) {
  const from = given.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const words = given.filter((word) => !word.startsWith('--'))
  require(words.length === 2, 'this check supports COPY with one source and one destination')
  const [source = '', destination = ''] = words
  const earlier = from === undefined ? undefined : stages.get(from)
  require(from === undefined || earlier !== undefined, `no earlier stage is named ${from}`)
  const found = sourcesOf(earlier ? earlier.folder : project, source)
  require(found.length > 0, `no file matches ${source}`)
  const target = join(stage.folder, resolve(stage.place, destination))
  const intoFolder = destination === '.' || destination.endsWith('/')
  require(intoFolder || found.length === 1, `${source} matches several files, but ${destination} is not a folder`)
  for (const path of found) cpSync(path, intoFolder ? join(target, basename(path)) : target, { recursive: true })
}

/** @param {Stage} stage @param {string} program @param {string[]} options */
function start({ folder, place, environment }, program, options) {
  const cwd = join(folder, place)
  mkdirSync(cwd, { recursive: true })
  const run = spawnSync(program, options, { cwd, env: environment, encoding: 'utf8', timeout: 600_000 })
  const output = run.error?.message ?? `${run.stdout}${run.stderr}`.trim().split('\n').slice(-20).join('\n')
  require(run.status === 0, `the command failed (${run.status ?? run.signal}):\n${output}`)
}

/** @param {Stage} stage @param {string} command */
function run(stage, command) {
  const isLent = chosen.lend && /^npm ci\b/.test(command) && hasSameLock(join(stage.folder, stage.place))
  start(stage, 'sh', ['-ec', isLent ? `${command} --dry-run` : command])
  if (isLent) symlinkSync(join(project, 'node_modules'), join(stage.folder, stage.place, 'node_modules'))
}

/** Whether the folder has the packages of the project. @param {string} folder */
const hasSameLock = (folder) =>
  ['package.json', 'package-lock.json'].every(
    (name) =>
      existsSync(join(folder, name)) && readFileSync(join(folder, name)).equals(readFileSync(join(project, name))),
  )

/** A path of the image as a path of this machine. The programs of the base image are those of this machine. */
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
      // The parser separates flags from arguments.
      copy(stage, stages, (text.split('\n')[instruction.getRange().start.line] ?? '').split(/\s+/).slice(1))
      return
    case 'RUN':
      require(!/(^|[\s='"])\//.test(line), 'RUN names an absolute path, which this check does not support')
      run(stage, line)
      return
    case 'ENV':
      require(/^PATH="[^"]+"$/.test(line), 'this check supports only the variable PATH')
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
      throw new Fault(`this check does not support ${instruction.getKeyword()}`)
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
      require(stage !== undefined, 'the first instruction must be FROM')
      follow(instruction, stage, stages)
    }
  }
  require(stage !== undefined, 'FROM is missing')
  const [program = '', ...options] = [...stage.entrypoint, ...stage.command]
  start(stage, program, options)
  console.log(`Containerfile: ${at} lines checked, ${stages.size} stages; ${[program, ...options].join(' ')} works`)
} catch (error) {
  if (!(error instanceof Fault)) throw error
  console.error(`Containerfile:${at}: ${error.message}`)
  process.exitCode = 1
} finally {
  if (chosen.into === undefined) rmSync(work, { recursive: true, force: true })
}
