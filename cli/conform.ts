#!/usr/bin/env node
/** The command `conform`, as the build has put it together. */
import { loadProgram } from './load-program.js'
import { optimizeLate } from './optimize-late.js'

const program = loadProgram('command')
if (process.argv[2] === 'run') optimizeLate()
await program.main()
