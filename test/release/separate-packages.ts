/** The packages of test/release/packages, which `npm run test:release` installs. The compiler of this project cannot know their types. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

export const project = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder with `node_modules` of these packages. */
export const separateFolder = join(project, 'test/release/packages')

const { resolve } = createRequire(join(separateFolder, 'package.json'))

/** `Content`: the used part of the package, as its documentation states it. */
export async function importSeparate<Content>(name: string): Promise<Content> {
  const imported = await import(pathToFileURL(resolve(name)).href)
  // A CommonJS module is the default export. The cast: see above.
  return (imported.default ?? imported) as Content
}

/** Mistakes that a parser of GitHub finds. */
interface ParserResult {
  context: { errors: { getErrors(): { message: string }[] } }
}
type Parse = (file: { name: string; content: string }, trace: object) => ParserResult

interface Parsers {
  NoOperationTraceWriter: new () => object
  parseAction: Parse
  parseWorkflow: Parse
}

/** @returns functions that list the mistakes of a file. `folder` receives the bundled parsers, because Node cannot import their JSON files. */
export async function githubParsers(folder: string) {
  const contents =
    "export * from '@actions/workflow-parser'; export * from '@actions/workflow-parser/actions/action-parser'"
  const outfile = join(folder, 'parsers.cjs')
  await build({
    stdin: { contents, resolveDir: separateFolder },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    outfile,
  })
  const { NoOperationTraceWriter, parseAction, parseWorkflow }: Parsers = createRequire(import.meta.url)(outfile)
  const mistakes =
    (parse: Parse) =>
    (name: string, content: string): string[] =>
      parse({ name, content }, new NoOperationTraceWriter())
        .context.errors.getErrors()
        .map(({ message }) => message)
  return { inAction: mistakes(parseAction), inWorkflow: mistakes(parseWorkflow) }
}
