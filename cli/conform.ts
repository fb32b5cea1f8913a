#!/usr/bin/env node
/** Entry point of the command `conform`. */
import { loadProgram } from './load-program.js'

const program = await loadProgram()
await program.main()
