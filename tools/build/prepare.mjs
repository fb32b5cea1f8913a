/**
 * Builds dist/ after `npm ci` in a clone, and after an installation from git or a folder. The packed package contains dist/ and not this
 * script (docs/decisions/0024).
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** @param {string} program @param {...string} options */
function run(program, ...options) {
  const { status } = spawnSync(program, options, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (existsSync('node_modules/typescript')) {
  run(process.execPath, 'tools/build/build.mjs')
  // Compiles tap without its TypeScript plugin: tests run as compiled JavaScript (docs/decisions/0090).
  run('npx', '--no-install', 'tap', 'build')
} else if (!existsSync('dist/cli/bundle.js')) {
  console.error(`participant-conformance is not built, and ${process.cwd()} has no development dependencies to build it with.
Run \`npm ci\` in that folder, or install the package that \`npm pack\` writes there.`)
  process.exit(1)
}
