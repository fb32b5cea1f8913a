/**
 * Lossless JSON: keeps digits of numbers, reports repeated members, and accepts any depth. `JSON.parse` rounds integers beyond 2^53
 * and hides repeated members.
 */
export { parseJson } from './json-parser.js'
export { excerpt, printJson } from './json-printer.js'
export { JsonSyntaxError } from './json-scanner.js'
export { isJsonObject, isNumberText, JsonNumber, type JsonObject, type JsonValue } from './json-value.js'
