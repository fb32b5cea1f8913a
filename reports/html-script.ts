/** The report's script: the filter over all rows, and copy buttons. Without it everything can still be read. */
export const script = `
const form = document.querySelector('#filter')
const search = form.querySelector('input[type=search]')
const boxes = [...form.querySelectorAll('input[type=checkbox]')]
const operations = [...document.querySelectorAll('details.operation')].map((details) => ({
  details,
  rows: [...details.querySelectorAll('details.row')],
}))
const total = operations.reduce((sum, { rows }) => sum + rows.length, 0)

function apply() {
  const words = search.value.trim().toLowerCase()
  const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value))
  const filtered = words !== '' || wanted.size < boxes.length
  let shown = 0
  for (const { details, rows } of operations) {
    let matches = 0
    for (const row of rows) {
      row.hidden = !wanted.has(row.dataset.verdict) || !row.dataset.find.includes(words)
      if (!row.hidden) matches += 1
    }
    details.hidden = matches === 0
    details.open = filtered && matches > 0
    shown += matches
  }
  form.querySelector('output').textContent = shown + ' of ' + total + ' rows'
}

form.hidden = false
form.addEventListener('input', apply)
form.addEventListener('submit', (event) => event.preventDefault())
form.querySelector('button').addEventListener('click', () => {
  form.reset()
  apply()
})
apply()

for (const block of document.querySelectorAll('.command')) {
  const command = block.querySelector('pre')
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', 'Copy: ' + command.getAttribute('aria-label'))
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(command.textContent)
    button.textContent = 'Copied'
  })
  block.append(button)
}
`
