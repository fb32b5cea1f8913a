/**
 * Builds dist/ after `npm ci` in a clone, and after an installation from git or a folder. The packed package contains dist/ and not this
 * script (docs/decisions/0024).
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

if (existsSync('node_modules/typescript')) {
  const { status } = spawnSync(process.execPath, ['tools/build/build.mjs'], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else if (!existsSync('dist/cli/bundle.js')) {
  console.error(`participant-conformance is not built, and ${process.cwd()} has no development dependencies to build it with.
Run \`npm ci\` in that folder, or install the package that \`npm pack\` writes there.`)
  process.exitCode = 1
}
