/** The Containerfile, where a container engine exists. */
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { project } from './separate-packages.js'
import { start } from './start-program.js'

const engine = ['podman', 'buildah'].find((name) => spawnSync(name, ['--version']).status === 0)

if (engine === undefined) t.pass('this machine has neither podman nor buildah')
else
  t.test(`${engine} builds the image, which starts the command`, async (t) => {
    const image = 'participant-conformance-test'
    const built = await start(project, engine, 'build', '--file', 'Containerfile', '--tag', image, '.')
    t.equal(built.code, 0, built.output)
    t.teardown(() => start(project, engine, 'rmi', image))
    if (engine !== 'podman') return
    const help = await start(project, engine, 'run', '--rm', image, '--help')
    t.equal(help.code, 0, help.output)
    t.match(help.stdout, /^Usage: conform /)
  })
