/** Texts of participants, redacted and cut before an exploration keeps, reports or writes them. */
import { cutText, type Redaction } from '../lib/redaction/redaction.js'
import type { FindingCore, MetDivergence, NonLinearizableHistory, ShownAnswer } from '../record/types/exploration.js'

/** Characters of a body, a command or a sentence. */
const longestText = 20_000
/** Characters of a signature, a pointer or a summary of an answer: they contain codes and member names. */
const longestName = 500

export const cleanText = (text: string, redaction: Redaction): string => cutText(redaction.clean(text), longestText)

export const cleanName = (text: string, redaction: Redaction): string => cutText(redaction.clean(text), longestName)

/** Steps stay unchanged, because they are sent again. They contain data of the suite and fields of the reference's contracts. */
export const cleanFinding = (finding: FindingCore, redaction: Redaction): FindingCore => ({
  ...finding,
  signature: cleanName(finding.signature, redaction),
  ruling: { ...finding.ruling, because: cleanText(finding.ruling.because, redaction) },
  pointer: cleanName(finding.pointer, redaction),
  commands: finding.commands.map((command) => cleanText(command, redaction)),
  answers: {
    reference: cleanAnswer(finding.answers.reference, redaction),
    target: cleanAnswer(finding.answers.target, redaction),
  },
})

const cleanAnswer = ({ said, body }: ShownAnswer, redaction: Redaction): ShownAnswer => ({
  said: cleanName(said, redaction),
  body: cleanText(body, redaction),
})

export const cleanDivergence = (divergence: MetDivergence, redaction: Redaction): MetDivergence => ({
  ...divergence,
  reference: cleanName(divergence.reference, redaction),
  target: cleanName(divergence.target, redaction),
})

export const cleanHistory = (history: NonLinearizableHistory, redaction: Redaction): NonLinearizableHistory => ({
  ...history,
  calls: history.calls.map((call) => ({ ...call, said: cleanName(call.said, redaction) })),
})
