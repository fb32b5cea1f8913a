/** Where the text of the interface says a rule; nothing where the record does not tell. */
export function Passages({ passages = [] }: { passages?: string[] | undefined }) {
  if (passages.length === 0) return null
  return <p class="muted passages">Text: {passages.join('; ')}</p>
}
