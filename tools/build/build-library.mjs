// Writes the entries of the library for `require`, and its declarations for CommonJS. build-program.mjs bundles the library.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = 'dist/api'

for (const name of ['index.cjs', 'required.cjs']) copyFileSync(`api/${name}`, `${folder}/${name}`)
const names = readdirSync(folder, { recursive: true }).map(String)
for (const name of names.filter((each) => each.endsWith('.d.ts'))) {
  const text = readFileSync(join(folder, name), 'utf8').replace(/(from '\.[^']*)\.js'/g, "$1.cjs'")
  writeFileSync(join(folder, name.replace(/\.ts$/, '.cts')), text)
}
