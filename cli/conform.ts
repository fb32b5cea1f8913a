#!/usr/bin/env node
/** The command `conform`, as the build has put it together. */
import { loadProgram } from './load-program.js'

await loadProgram('command').main()
