import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import t from 'tap'
import { interfaceDescription, responseCheck } from '../interface/description.js'
import { categoryOf, errorCategories, grpcCodes, httpStatusOfGrpc } from '../interface/error-categories.js'
import { type Grammar, grammars, violation } from '../interface/grammars.js'
import {
  type DuplicateMember,
  excerpt,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  printJson,
} from '../interface/json.js'
import { type OperationName, operations, supportOperations } from '../interface/operations.js'

interface RecordedAnswer {
  operation: OperationName
  status: number
  scenario: string
  body: JsonObject
}

const recordings = new URL('../../test/recordings/responses.json', import.meta.url)
const answers = JSON.parse(readFileSync(recordings, 'utf8')) as RecordedAnswer[] // our own data; the checks below read it
const successes = answers.filter(({ status }) => status === 200)
const refusals = answers.filter(({ status }) => status !== 200)

/** A copy of a recorded success whose edit may do what it likes. */
function broken(scenario: string, edit: (body: any) => void): RecordedAnswer {
  throw new Error(`${scenario} ${edit}`)
}
