/** Keeps digits of numbers, reports repeated members, accepts any depth. */
export { parseJson } from './json-parser.js'
export { excerpt, printJson } from './json-printer.js'
export { JsonSyntaxError } from './json-scanner.js'
export { isJsonObject, isNumberText, JsonNumber, type JsonObject, type JsonValue } from './json-value.js'
