'use strict'
// Jest replaces `require` and runs modules in the context of a test file, where errors of Node are not instances of `Error`, and timers can be
// replaced. The `require` of the main context loads the library there. Before Node 20.16, Jest cannot load it.
const { Script } = require('node:vm')

const { getBuiltinModule } = new Script('process').runInThisContext()
const { createRequire } = getBuiltinModule?.('node:module') ?? require('node:module')

module.exports = createRequire(__filename)('./required.cjs')
