// tap compiles its own plugin set; ours leaves out the TypeScript plugin (tests run as compiled JavaScript), and tap only
// picks that up when it is built before the first run. Production installs have no tap and nothing to do.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// npm runs `prepare` for these as well, where nothing was installed.
const packs = ['pack', 'publish'].includes(process.env.npm_command ?? '')

if (!packs && existsSync('node_modules/tap')) {
  const { status } = spawnSync('npx', ['--no-install', 'tap', 'build'], { stdio: 'inherit' })
  process.exit(status ?? 1)
}
