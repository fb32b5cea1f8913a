import type { Verdict } from '../../record/types/verdict.js'

/** One sign per verdict, beside its word; all are in the fonts that every system has. */
export const verdictIcon: Record<Verdict, string> = {
  fail: '✗',
  error: '!',
  blocked: '■',
  'unexpected-pass': '?',
  warning: '▲',
  excused: '~',
  'follows-the-text': '§',
  'not-applicable': '–',
  pass: '✓',
}
