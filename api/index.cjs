/**
 * The library for programs that `require` it. The bundle runs in the main context of the process, wherever this file is loaded:
 * Jest gives each test file a context of its own, where an error of Node is no instance of `Error`, and where timers can be replaced.
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
