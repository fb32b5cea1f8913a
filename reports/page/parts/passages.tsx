/** The passages of a rule in the interface text. */
export function Passages({ passages = [] }: { passages?: string[] | undefined }) {
  if (passages.length === 0) return null
  return <p class="muted passages">Interface text: {passages.join('; ')}</p>
}
