/**
 * Styles of single pages: receipt, case, research, consent, and the reference of the API. They are
 * apart from the styles that all pages share, and join them in the one stylesheet.
 *
 * `.allow` holds a button that gives rights away. A click presses it only when the pointer has been
 * over the form for 0.8 seconds, or the page has been shown as long where there is no pointer. Else
 * the second click of a double-click would press it, whose first one closed a window in front. Keys
 * press it at once.
 */
export const placesStyle = `
.verdict{
  padding:.75rem 1.15rem;border-left:.35rem solid var(--good);border-radius:.3rem;
  background:var(--card);color:var(--good);font-size:1.15rem;font-weight:600
}
.verdict.waiting{border-color:var(--line);color:var(--quiet)}
summary{cursor:pointer;margin:0 0 .75rem}
.command{overflow-wrap:normal;overflow-x:auto}
.command span{white-space:nowrap}
fieldset.danger{border-color:var(--warn)}
fieldset.danger :is(legend,label){color:var(--warn)}
fieldset.danger [type=checkbox]{accent-color:var(--warn)}
.with-danger{display:none}
form:has(.danger :checked) .with-danger{display:inline}
form:has(.danger :checked) button{
  background:var(--warn);border-color:var(--warn);color:var(--ground)
}
@keyframes allow{
  from{opacity:.6;pointer-events:none}
  to{opacity:1;pointer-events:auto}
}
.allow button{animation:allow 0s .8s both}
@media(hover:hover){
  .allow:not(:hover) button{animation:none;pointer-events:none}
}
.rows .act-line{margin:0}
.meta details{flex:0 1 auto}
.meta details[open]{flex-basis:100%}
.meta summary{margin:0}
.wide-only{display:none}
@media(min-width:1100px){.wide-only{display:block}.narrow-only{display:none}}
.record li{margin:0 0 .6rem}
nav.rail li{padding:.15rem 0}
.votes{display:block;width:100%;height:6px;margin:0 0 1rem}
.votes .upheld{fill:var(--good)}
.votes .rejected{fill:var(--warn)}
.votes .unclear{fill:var(--line)}
.votes .uncounted{fill:var(--rule)}
.calls td>b{
  display:inline-block;padding:0 .4em;border:1px solid;border-radius:.3rem;
  font:600 .8125rem/1.5 ui-monospace,monospace;color:var(--accent)
}
.calls .post,.calls .put,.calls .patch{color:var(--good)}
.calls .delete{color:var(--warn)}
nav.card dd a{display:inline-block;min-height:1.5rem;padding-right:.4rem}
.calls{width:100%}
.calls td:first-child{width:5rem}
.dates{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end}
.dates label{display:block;font-weight:600}
.dates p,.dates button{margin:0}
@media(max-width:40rem){
  .stack{overflow:visible}
  .stack :is(table,tbody,tr,td){display:block}
  .stack thead{position:absolute;left:-99rem}
  .stack tr{padding:.5rem 0;border-bottom:1px solid var(--rule)}
  .stack td{padding:.1rem 0;border:0;overflow-wrap:anywhere}
  .stack code{white-space:normal;overflow-wrap:anywhere}
  .stack td:empty{display:none}
  .stack td.number{text-align:left}
  [data-label]:first-child{font-weight:600}
  [data-label]:not(:first-child)::before{content:attr(data-label) ": ";color:var(--quiet)}
}
@media print{
  .verdict{color:inherit}
  details:not([open]){display:none}
  .meta span:has(>a:is([href^="/e/"],[href^="/moderation/"],[href$=".md"],[href*="watch=1"])){
    display:none
  }
}
`;
