import { execFile } from 'node:child_process'

export interface ProgramResult {
  code: number
  output: string
  stdout: string
}

/** The environment without the variables of npm and of the test runner. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|npm_config_local_prefix$|INIT_CWD$|NODE_TEST_CONTEXT$|TAP)/i.test(name),
  ),
)

/** Starts a program in a folder and waits for its end. */
export const start = (cwd: string, program: string, ...options: string[]): Promise<ProgramResult> =>
  new Promise((resolve) => {
    const settings = { cwd, env: { ...environment, CI: 'true' }, maxBuffer: 64 * 1024 * 1024 }
    execFile(program, options, settings, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 1
      resolve({ code: error ? code : 0, output: `${stdout}${stderr}`, stdout })
    })
  })
