/** The arrows of docs/design.md. Runs on the compiled code: the cruiser cannot read TypeScript 7 sources. */
const only = (from, ...allowed) => ({
  name: `${from} imports only ${[from, ...allowed].join(', ')}`,
  severity: 'error',
  from: { path: `^dist/${from}/` },
  to: { path: '^dist/', pathNot: `^dist/(${[from, ...allowed].join('|')})/` },
})

module.exports = {
  forbidden: [
    only('interface'),
    only('record', 'interface'),
    only('daml', 'interface'),
    only('simulator', 'daml', 'interface'),
    only('runner', 'record', 'interface'),
    only('reports', 'record', 'interface'),
    only('cli', 'runner', 'simulator', 'reports', 'record', 'interface'),
    // What it measures it starts as a process.
    only('bench', 'interface'),
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'tests are imported by tests alone',
      severity: 'error',
      from: { pathNot: '^dist/test/' },
      to: { path: '^dist/test/' },
    },
  ],
  options: { doNotFollow: { path: 'node_modules' }, exclude: { path: '\\.map$' } },
}
