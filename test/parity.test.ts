/** Recorded conversations of a live reference participant, played again with the simulator: see recordings/README.md. */
import t, { type Test } from 'tap'
import { startSimulator } from '../simulator/simulator.js'
import { readRecording, type Scenario } from './replay-recording.js'
import { type Player, play } from './replay-steps.js'
import { Variables } from './replay-variables.js'
import { stillClock } from './still-clock.js'
import { connect } from './wire.js'

const secret = 'secret'

const settings = [
  { file: 'conversations.json', protocolVersion: 35, authorization: 'none' },
  { file: 'conversations-model.json', protocolVersion: 35, authorization: 'none' },
  { file: 'conversations-authorized.json', protocolVersion: 34, authorization: `hs256:${secret}` },
] as const

for (const { file, protocolVersion, authorization } of settings) {
  t.test(`the simulator answers as the reference participant did: ${file}`, async (t) => {
    const clock = stillClock()
    // What the reference gives up after 20 s is given up at once here.
    const simulator = await startSimulator({ authorization, protocolVersion, clock, answerLimit: 1 })
    const wire = connect(simulator.url)
    t.teardown(async () => {
      await wire.close()
      await simulator.close()
    })
    const { tokens = {}, world, scenarios } = readRecording(file)
    const player: Player = { wire, tokens, secret, wait: (milliseconds) => clock.advance(milliseconds) }
    const variables = new Variables()
    await play(player, world, variables)
    for (const scenario of scenarios) await judge(t, scenario, player, variables.fork())
  })
}

async function judge(t: Test, { id, group, steps }: Scenario, player: Player, variables: Variables): Promise<void> {
  const found = await play(player, steps, variables).catch((error: unknown) => [`stopped: ${String(error)}`])
  t.strictSame(found, [], `${group}: ${id}`)
}
