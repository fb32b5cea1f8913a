/** By these a request is refused before it comes to the ledger; any other answer may mean that its transaction was seen there. */
export const rejectedBeforeLedger: ReadonlySet<string> = new Set(['400', '401', '403', '405', '406', '413', '415'])
