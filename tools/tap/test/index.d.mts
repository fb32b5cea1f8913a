import type { plugin as after } from '@tapjs/after'
import type { plugin as asserts } from '@tapjs/asserts'
import type { plugin as before } from '@tapjs/before'
import { type PromiseWithSubtest, TestBase, type TestBaseOpts } from '@tapjs/core'
import type { plugin as fixture } from '@tapjs/fixture'
import type { plugin as intercept } from '@tapjs/intercept'

type Members = ReturnType<typeof after> &
  ReturnType<typeof asserts> &
  ReturnType<typeof before> &
  ReturnType<typeof fixture> &
  ReturnType<typeof intercept>

export type TestOpts = TestBaseOpts

interface TestMembers extends Members {}

export interface Test extends TestMembers {}

export declare class Test extends TestBase {
  constructor(options: TestOpts)
  test(name: string, options: TestOpts, run: (t: Test) => unknown): PromiseWithSubtest<Test>
  test(name: string, run: (t: Test) => unknown): PromiseWithSubtest<Test>
}
