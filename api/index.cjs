/**
 * The library for `require`. The bundle always runs in the main context of the process. In the context of a Jest test file, errors
 * of Node are not instances of `Error`, and timers can be replaced.
 */
'use strict'
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

const file = join(__dirname, 'library.cjs')
// The bundle is ASCII.
const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`
const library = { exports: {} }
new Script(source, { filename: file }).runInThisContext()(library.exports, require, library, file, __dirname)

module.exports = library.exports
