/** The report's style sheet. No fonts, images or other files: the page must open from disk and send nothing. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f4f5f8; --card: #ffffff; --sunken: #f4f6f9; --line: #d6dbe3; --text: #1a2130; --muted: #556070; --link: #1f4fbf;
  --red: #a81e17; --red-soft: #fdeceb; --amber: #7d4c00; --amber-soft: #fff3d9; --green: #17663a; --green-soft: #e4f4ea;
  --blue: #2c4f8f; --blue-soft: #e8eefb; --grey: #525c6b; --grey-soft: #e9ecf1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11151c; --card: #1a202a; --sunken: #141a23; --line: #313a48; --text: #e6e9ef; --muted: #a3adbb; --link: #8fb4ff;
    --red: #ff9d95; --red-soft: #3a1b1d; --amber: #f3c26b; --amber-soft: #3b2c0f; --green: #7fd6a1; --green-soft: #15351f;
    --blue: #a9c4fb; --blue-soft: #1d2b48; --grey: #b4bdca; --grey-soft: #2a323e;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 4rem }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
code, pre, .mono { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .87em }
code, pre { overflow-wrap: anywhere; unicode-bidi: isolate }
a { color: var(--link) }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px }
header, main, footer, nav ul { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem }
header { padding-top: 1.75rem; padding-bottom: .75rem }
header p { margin: 0; color: var(--muted); overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.65rem; line-height: 1.25 }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.3rem }
h3 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere }
h4 { margin: 1.1rem 0 .35rem; font-size: .92rem }
.skip { position: absolute; left: -100rem }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; z-index: 2 }
nav { position: sticky; top: 0; z-index: 1; background: var(--page); border-bottom: 1px solid var(--line) }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; list-style: none; padding-top: .6rem; padding-bottom: .6rem }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.25rem; margin: 1rem 0 }
.banner { background: var(--red-soft); color: var(--red); border: 2px solid var(--red); border-radius: 10px; padding: .8rem 1.25rem; margin: 1rem 0 }
.banner ul { margin: .3rem 0 0; padding-left: 1.2rem }
.outcome { display: flex; gap: 1rem; align-items: center; border-left: 8px solid var(--red) }
.outcome.conforming { border-left-color: var(--green) }
.outcome .sign { font-size: 2.4rem; line-height: 1; color: var(--red) }
.outcome.conforming .sign { color: var(--green) }
.outcome strong { font-size: 1.45rem; display: block; line-height: 1.25 }
.outcome strong::first-letter { text-transform: uppercase }
.bar { display: block; width: 100%; height: 12px; border-radius: 6px; margin: .2rem 0 1rem; background: var(--grey-soft) }
.counts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15.5rem, 100%), 1fr)); gap: .7rem; padding: 0; margin: 0; list-style: none }
.counts li { border-radius: 8px; padding: .55rem .8rem; background: var(--soft); color: var(--strong) }
.counts .number { font-size: 1.4rem; font-weight: 700; margin-right: .35rem }
.counts .none { background: var(--sunken); color: var(--muted) }
.counts small { display: block; line-height: 1.35 }
.fail, .error, .blocked, .unexpected-pass { --strong: var(--red); --soft: var(--red-soft) }
.warning { --strong: var(--amber); --soft: var(--amber-soft) }
.excused { --strong: var(--blue); --soft: var(--blue-soft) }
.inapplicable { --strong: var(--grey); --soft: var(--grey-soft) }
.pass { --strong: var(--green); --soft: var(--green-soft) }
rect { fill: var(--strong); stroke: var(--card); stroke-width: 1px }
.verdict { display: inline-block; padding: .05rem .5rem; border-radius: 5px; background: var(--soft); color: var(--strong); font-weight: 600; font-size: .85rem; white-space: nowrap }
.tag { border: 1px solid var(--line); border-radius: 5px; padding: 0 .4rem; font-size: .8rem; font-weight: 400; color: var(--muted) }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .8rem 1.5rem; margin: 0 }
.facts dt, .muted { color: var(--muted); font-size: .87rem }
.facts dd { margin: 0; overflow-wrap: anywhere }
.facts .long { grid-column: span 2 }
.yes-no { display: flex; flex-wrap: wrap; gap: .35rem .5rem; list-style: none; padding: 0; margin: .3rem 0 0 }
.yes-no-name { margin: 1.2rem 0 0 }
.rule { border-left: 3px solid var(--line); margin: .45rem 0 .9rem; padding-left: .9rem; overflow-wrap: anywhere }
details.row { border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; background: var(--card) }
details.row > div { padding: 0 1rem 1rem; border-top: 1px solid var(--line) }
summary { cursor: pointer; padding: .55rem .9rem; overflow-wrap: anywhere }
summary:hover { background: var(--sunken); border-radius: 8px }
summary .title { display: block; margin-top: .1rem; padding-left: 1.1rem }
.operation.card { padding: .35rem .9rem }
.operation > summary { padding-left: .2rem; font-size: 1.05rem; font-weight: 600 }
.operation > summary .verdict { margin-left: .35rem }
.reason { font-weight: 600; overflow-wrap: anywhere }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .92rem }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; min-width: 5.5rem }
th { color: var(--muted); font-weight: 600; white-space: nowrap }
td.value { white-space: pre-wrap }
tr.unmet { background: var(--red-soft) }
tr.unmet .tag, tr.unmet .muted { color: inherit }
.exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 0 1.25rem }
.exchange > div { min-width: 0 }
.exchange p { margin: .2rem 0 }
.command { position: relative }
.command pre { padding-right: 6rem }
.command button { position: absolute; top: .45rem; right: .6rem }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: 6px; margin: .35rem 0; padding: .6rem .8rem; white-space: pre-wrap; max-height: 26rem; overflow: auto }
.note { color: var(--amber); font-weight: 600; margin: .2rem 0; font-size: .87rem }
form { display: grid; gap: .7rem }
form[hidden], [hidden] { display: none }
input[type=search] { display: block; width: 100%; max-width: 34rem; font: inherit; padding: .45rem .7rem; margin-top: .2rem; border: 1px solid var(--muted); border-radius: 6px; background: var(--card); color: var(--text) }
fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .4rem .9rem }
legend { float: left; margin-right: .9rem; color: var(--muted) }
fieldset label { display: inline-flex; align-items: center; gap: .35rem }
input[type=checkbox] { width: 1.1rem; height: 1.1rem; accent-color: var(--link) }
button { font: inherit; font-size: .85rem; color: var(--text); background: var(--card); border: 1px solid var(--muted); border-radius: 6px; padding: .15rem .7rem; cursor: pointer }
footer { padding-top: 2rem; padding-bottom: 3rem; color: var(--muted); font-size: .87rem; overflow-wrap: anywhere }
@media (max-width: 40rem) { .facts .long { grid-column: auto } }
@media print {
  body { background: none; font-size: 10.5pt }
  nav, form, button, .skip { display: none }
  pre { max-height: none; overflow: visible }
  .command pre { padding-right: .8rem }
  .wide { overflow: visible }
  .card, tr, .counts li { break-inside: avoid }
  h2, h3, h4 { break-after: avoid }
}
`
