/**
 * npm runs this after `npm ci` in a clone, and where another project installs this one from git or from a folder:
 * it builds dist/, which is not in git. The packed package has dist/ and not this script (docs/decisions/0024).
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** @param {string} program @param {...string} options */
function run(program, ...options) {
  const { status } = spawnSync(program, options, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (existsSync('node_modules/typescript')) {
  run(process.execPath, 'scripts/build.mjs')
  // tap compiles its own set of plugins. Ours has none for TypeScript: tests run as compiled JavaScript (docs/decisions/0090).
  run('npx', '--no-install', 'tap', 'build')
} else if (!existsSync('dist/cli/bundle.js')) {
  console.error(`participant-conformance is not built, and ${process.cwd()} has no development dependencies to build it with.
Run \`npm ci\` in that folder, or install the file that \`npm pack\` writes there.`)
  process.exit(1)
}
