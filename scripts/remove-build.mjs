// What an earlier build left must not get into a package: compiled files of sources that are gone would.
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
