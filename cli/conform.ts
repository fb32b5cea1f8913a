#!/usr/bin/env node
import { loadProgram } from './load-program.js'

const program = await loadProgram().catch((error: unknown) => {
  // Too few open files, for instance. Exit code 1 would mean a participant that does not conform.
  console.error(`conform cannot load its program. ${String(error)}`)
  process.exit(4)
})
await program.main()
