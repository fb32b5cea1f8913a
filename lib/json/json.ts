/**
 * JSON text without loss: numbers keep their digits, repeated members are noticed, depth does not matter.
 * `JSON.parse` rounds integers beyond 2^53 and hides repeated members; here both matter, because participants send
 * 64-bit integers and anything at all may come over the wire.
 */
export { parseJson } from './json-parser.js'
export { excerpt, printJson } from './json-printer.js'
export { JsonSyntaxError } from './json-scanner.js'
export { isJsonObject, isNumberText, JsonNumber, type JsonObject, type JsonValue } from './json-value.js'
