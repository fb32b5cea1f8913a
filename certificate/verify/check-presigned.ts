/**
 * Checks reasons of rows without a prepared transaction or a signature. A record does not show how many transactions
 * the signer had, so the reason that all are used remains unproven.
 */
import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../../lib/json/json.js'
import type { Reason } from '../../record/types/reason.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { findMissingSignature, withPresigned } from '../../runner/execute/presigned-transactions.js'
import { usesRedacted } from '../../runner/judge/judge-again.js'
import { applyLimitations, type Limitations, presignedControl } from '../../runner/plan/limitations.js'
import { SignatureNotGiven } from '../../runner/sign/presigned-key.js'
import {
  digestOf,
  type KeyKind,
  KeyRing,
  keyVariable,
  makeSigningKey,
  type Signer,
} from '../../runner/sign/signing-key.js'
import { actingParty, type ResolvedFixture } from '../../runner/suite/resolved-suite.js'
import { type Variables, variablesOf } from '../../runner/template/variables.js'

interface Sample {
  prepared: string
  hash: string
  mark: string
}

export interface PresignedParties {
  limitations: Limitations
  fixtures: ReadonlyMap<string, ResolvedFixture>
  samples: ReadonlyMap<string, Sample>
}

export function presignedParties(
  { header, rows }: RunRecord,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
): PresignedParties {
  const used = rows.flatMap(({ resolved }) => (presignedStep(resolved) ? [actingParty(resolved) ?? []] : [])).flat()
  const limitations = { prepares: false, onboards: true, presigned: new Set(used) }
  return {
    limitations,
    fixtures: new Map([...fixtures].map(([name, fixture]) => [name, presignedControl(fixture, limitations)])),
    samples: new Map(rows.flatMap((row) => sampleIn(row, header))),
  }
}

const presignedStep = ({ steps }: ResolvedRow): ResolvedRow['steps'][number] | undefined =>
  steps.find(({ presigned }) => presigned)

function sampleIn({ resolved, variables, evidence }: RunRow, header: RunHeader): [fixture: string, sample: Sample][] {
  const [fixture, capture] = [actingParty(resolved), presignedStep(resolved)?.capture]
  if (fixture === undefined || !capture || evidence.length === 0) return []
  const known = variablesOf(header.variables, variables)
  const captured = (pointer: string): JsonValue | undefined =>
    Object.entries(capture).flatMap(([name, one]) => (one === pointer ? [known.get(name) ?? null] : []))[0]
  const [prepared, hash, mark] = [
    captured('/preparedTransaction'),
    captured('/preparedTransactionHash'),
    known.get('row'),
  ]
  return typeof prepared === 'string' && typeof hash === 'string' && typeof mark === 'string'
    ? [[fixture, { prepared, hash, mark }]]
    : []
}

export function lacksTransaction(
  row: ResolvedRow,
  reason: Reason,
  { limitations, fixtures }: PresignedParties,
): boolean {
  const steps = row.steps.map(({ presigned: _, ...step }) => step)
  return isDeepStrictEqual(applyLimitations({ row: { ...row, steps } }, fixtures, limitations).reason, reason)
}

/** Undefined if no row shows a transaction of the party. */
export function lacksSignature(
  row: ResolvedRow,
  reason: Reason,
  header: RunHeader,
  { fixtures, samples }: PresignedParties,
): boolean | undefined {
  if (!header.target.file?.presigned) return false
  if (usesRedacted(row, header)) return undefined
  const sample = samples.get(actingParty(row) ?? '')
  const step = presignedStep(row)
  const known = variablesOf(header.variables)
  const variables = step && sample ? withPresigned(sample, step.capture, known) : new Map(known).set('row', header.run)
  const missing = findMissingSignature(row, variables, { keys: keysOf(known, fixtures, samples) })
  if (isDeepStrictEqual(missing, reason)) return true
  const isShown = row.fixtures.every((name) => !fixtures.get(name)?.party?.external || samples.has(name))
  return isShown ? false : undefined
}

/** Substitutes for the run's keys; their signatures are never sent. */
function keysOf(
  known: Variables,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  samples: ReadonlyMap<string, Sample>,
): KeyRing {
  const keys = new KeyRing()
  for (const { name, party } of fixtures.values())
    for (const [index, kind] of (party?.external?.keys ?? []).entries()) {
      const fingerprint = known.get(keyVariable(name, index))
      if (typeof fingerprint === 'string') keys.add(signerOf(kind, fingerprint, samples.get(name)?.hash))
    }
  return keys
}

/** `signed`: the only bytes (base64); undefined for any. */
function signerOf(kind: KeyKind, fingerprint: string, signed: string | undefined): Signer {
  const own = makeSigningKey(kind)
  return {
    fingerprint,
    otherFingerprint: own.otherFingerprint,
    sign: (message, digest) => {
      const isSigned = message.toString('base64') === signed && (digest ?? digestOf(kind)) === digestOf(kind)
      if (signed !== undefined && !isSigned) throw new SignatureNotGiven(fingerprint)
      return { ...own.sign(message, digest), signedBy: fingerprint }
    },
  }
}
