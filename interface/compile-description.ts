/** A step of the build: leaves the document openapi.yaml as JSON, which is read faster, and the checks of answers as code. */
import { writeFileSync } from 'node:fs'
import { keepDescription } from './read-description.js'
import { responseCode } from './response-code.js'

writeFileSync(new URL('./response-fits.cjs', import.meta.url), responseCode(keepDescription()))
