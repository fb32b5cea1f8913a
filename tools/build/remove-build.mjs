// Removes dist/, so that a package contains no outputs of removed sources.
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
