/** The thread of the embedded simulator. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

const embedded = new URL('../../../cli/target/embedded-simulator.js', import.meta.url).href

/** In a process of its own, which fails if it does not end. */
async function outputOf(t: Test, script: string): Promise<string> {
  const text = `import { prepareThread, startEmbedded } from ${JSON.stringify(embedded)}\n${script}`
  const file = join(t.testdir({ 'script.mjs': text }), 'script.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 })
  return stdout
}

t.test('a prepared thread without a simulator ends with the process', async (t) => {
  t.equal(await outputOf(t, 'prepareThread(); console.log("done")'), 'done\n')
})

t.test('the next simulator has the prepared thread, with its own options', async (t) => {
  const versions = await outputOf(
    t,
    `
    prepareThread()
    for (const behaviour of ['canton-3.6', 'canton-3.4']) {
      const simulator = await startEmbedded({ behaviour })
      console.log((await (await fetch(new URL('/v2/version', simulator.url))).json()).version)
      await simulator.close()
    }`,
  )
  t.match(versions, /^3\.6.*\n3\.4.*\n$/)
})

t.test('an error of the simulator rejects', async (t) => {
  const text = await outputOf(
    t,
    `
    const options = { behaviour: 'canton-3.4', protocolVersion: 35 }
    await startEmbedded(options).catch((error) => console.log(error.message))`,
  )
  t.match(text, 'the behaviour canton-3.4 supports only protocol version 34')
})
