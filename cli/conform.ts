#!/usr/bin/env node
/** The command `conform`. */
import { loadProgram } from './load-program.js'

const program = await loadProgram()
await program.main()
