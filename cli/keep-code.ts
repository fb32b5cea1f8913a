/** A step of the build: reads the suite for all commands, and leaves what V8 has made of the program once it has done that and a short run. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { codeFile, compileProgram, runProgram } from './load-program.js'

if (parentPort) await keepSimulatorCode(parentPort)
else if (isMainThread) await keepCommandCode()

async function keepCommandCode(): Promise<void> {
  const script = compileProgram('command')
  const { compileSuite, main } = runProgram(script)
  const simulator = new Worker(new URL(import.meta.url))
  const [url] = (await once(simulator, 'message')) as [string] // what the thread tells first
  await compileSuite()
  const out = mkdtempSync(join(tmpdir(), 'keep-code-'))
  const { log, error } = console
  Object.assign(console, { log: () => undefined, error: () => undefined })
  try {
    process.argv = [process.execPath, 'conform', 'run', '--target', url, '--only', 'CBI-*', '--out', out]
    await main()
  } finally {
    Object.assign(console, { log, error })
    rmSync(out, { recursive: true, force: true })
    // Whether the suite is in order is nothing that a build says.
    process.exitCode = 0
  }
  writeFileSync(codeFile('command'), script.createCachedData())
  simulator.postMessage('end')
  await once(simulator, 'exit')
}

async function keepSimulatorCode(port: NonNullable<typeof parentPort>): Promise<void> {
  const script = compileProgram('simulator')
  const { url } = await runProgram(script).serveSimulator({})
  port.postMessage(url)
  await once(port, 'message')
  writeFileSync(codeFile('simulator'), script.createCachedData())
  // It would serve on.
  process.exit()
}
