import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import { permissionNames } from '../../../record/types/effects.js'
import type { RunRecord } from '../../../record/types/record.js'
import { run } from '../../../runner/run/run.js'
import type { Profile } from '../../../runner/suite/suite.js'
import { defaultAccess } from '../../../runner/target/target-file.js'
import { type SimulatorOptions, startSimulator } from '../../../simulator/simulator.js'
import { readTarget } from '../suites/plain-target.js'
import { profileNamed, resolvedSuite, wholeSuite } from '../suites/whole-suite.js'

interface Recorded {
  profile?: string | Profile
  /** Default: the whole suite. */
  only?: readonly string[]
  seed?: string
  concurrency?: number
}

export async function recordedRun(options: SimulatorOptions, wanted: Recorded = {}): Promise<RunRecord> {
  const { profile = 'canton-3.5', only, seed = 'recorded', concurrency = 8 } = wanted
  const { authorization = 'none' } = options
  // The run shares this result, so it is frozen.
  if (!only && typeof profile === 'string') resolvedSuite(profile)
  const simulator = await startSimulator(options)
  const recordFile = join(tmpdir(), `recorded-${randomUUID()}.ndjson`)
  try {
    return await run(
      {
        suite: wholeSuite,
        profile: typeof profile === 'string' ? profileNamed(profile) : profile,
        recordFile,
        seed,
        concurrency,
        target: readTarget(simulator.url, authorization),
        access: defaultAccess,
        embedded: true,
        timeLimit: 30_000,
        tool: { name: 'test', version: '0' },
        model: conformanceModel,
        allow: new Set(permissionNames),
        ...(only && { only }),
      },
      { planned: () => undefined, row: () => undefined },
    )
  } finally {
    await simulator.close()
    await rm(recordFile, { force: true })
  }
}
