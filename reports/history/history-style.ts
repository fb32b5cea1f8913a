/** What the page of a history has beyond the style of the report. */
export const historyStyle = `
.history { max-width: 70rem; margin: 0 auto; padding: 1rem; }
.history .card { margin-block: 1rem; padding: 1rem; }
.history .wide { overflow-x: auto; }
.history table { border-collapse: collapse; }
.history code { overflow-wrap: anywhere; }
.history th, .history td { padding: 0.2rem 0.5rem; text-align: left; border-bottom: 1px solid var(--line); }
.history .cell { padding: 0.1rem; min-width: 1.1rem; text-align: center; background: var(--soft, transparent); color: var(--strong, inherit); }
.plot { width: 100%; height: auto; }
.plot text { fill: var(--muted); font-size: 11px; }
.plot rect { fill: var(--strong); }
.plot .version { stroke: var(--line-strong); stroke-dasharray: 3 3; }
.plot polygon { fill: var(--blue-soft); }
.plot polyline { fill: none; stroke: var(--blue); stroke-width: 2; }
.plot circle { fill: var(--blue); }
`
