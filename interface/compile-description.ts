/** A step of the build: leaves the document openapi.yaml as JSON, which is read faster. */
import { keepDescription } from './read-description.js'

keepDescription()
