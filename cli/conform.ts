#!/usr/bin/env node
import { loadProgram } from './load-program.js'

const program = await loadProgram()
await program.main()
