import { placesStyle } from './page-style-places.ts';
import { readingStyle } from './reading-style.ts';

/**
 * The one stylesheet of all pages. Each page contains it, and the policy allows it by its hash. At
 * 15 KB that costs less than a request of its own on a first visit, there is nothing to version,
 * and no other style is allowed. The contrast of text is at least 4.5:1 in both color schemes.
 */
export const pageStyle = `
:root{
  color-scheme:light dark;--ground:#fdfcfa;--card:#f6f3ee;--text:#1d1c1a;--quiet:#5b5852;
  --rule:#e4dfd6;--line:#8a867e;--accent:#1f4f8a;--on-accent:#fff;--mark:#fbe9a8;--warn:#a11212;
  --good:#1d6b3a;--field:#fff
}
@media screen and (prefers-color-scheme:dark){
  :root{
    --ground:#171613;--card:#201e1a;--text:#ece8e1;--quiet:#aca69b;--rule:#35322c;
    --line:#837d72;--accent:#9cc4f5;--on-accent:#10202f;--mark:#564812;--warn:#ff9d94;
    --good:#8fd6a6;--field:#211f1b
  }
}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{
  margin:0;padding:0 1rem;background:var(--ground);color:var(--text);
  font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere
}
.top,main,.foot{max-width:68rem;margin:0 auto}
main>*{max-width:44rem}
main.wide>*,main>:is(.scroll,.lines,.tabs,figure){max-width:none}
.top{
  display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;padding-top:.5rem;
  padding-bottom:.5rem;border-bottom:1px solid var(--rule)
}
.top .find{flex:1 1 10rem;max-width:20rem;margin-left:auto}
.top .find input{min-height:2rem;padding:.15rem .7rem;border-radius:1rem;font-size:.9375rem}
.top a{display:inline-block;padding:.2rem 0;color:inherit;text-decoration:none}
.top a:hover{text-decoration:underline}
.brand{font-weight:700;font-size:1.2rem;letter-spacing:.01em}
.top ul{display:flex;flex-wrap:wrap;gap:0 1.25rem;margin:0;padding:0;list-style:none}
.top .find+nav{margin:0}
.top li button{
  min-height:1.5rem;margin:0;padding:.2rem 0;border:0;background:none;color:var(--quiet);
  font-weight:400
}
.top li button:hover{text-decoration:underline}
.top nav+nav{margin-left:auto}
ul [aria-current],.pager [aria-current]{
  font-weight:600;color:inherit;text-decoration:none;box-shadow:0 2px var(--accent)
}
main{padding-top:1.25rem;padding-bottom:4rem}
.foot{
  padding-top:1.5rem;padding-bottom:3rem;border-top:1px solid var(--rule);color:var(--quiet);
  font-size:.9375rem
}
.foot ul{display:flex;flex-wrap:wrap;gap:0 1.25rem;margin:0 0 .5rem;padding:0;list-style:none}
.foot a{display:inline-block;padding:.2rem 0;color:inherit}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;padding:.5rem 1rem;background:var(--ground)}
h1{font-size:1.65rem;line-height:1.25;letter-spacing:-.01em;margin:0 0 .35rem;text-wrap:balance}
h2{font-size:1.2rem;line-height:1.3;margin:2rem 0 .5rem}
h3,h4,h5,h6{font-size:1.05rem;line-height:1.4;margin:1.25rem 0 .4rem}
p,ul,ol,dl,pre,table,blockquote{margin:0 0 1rem}
a{color:var(--accent);text-underline-offset:.15em}
a:hover{text-decoration-thickness:2px}
code{font:.92em ui-monospace,monospace}
pre{
  font:.88em/1.5 ui-monospace,monospace;white-space:pre-wrap;padding:.65rem .9rem;
  border-radius:.5rem;background:var(--card)
}
pre code{font-size:1em}
pre[tabindex]{
  background:
    linear-gradient(90deg,var(--card) 40%,transparent) 0/3rem 100% no-repeat local,
    linear-gradient(270deg,var(--card) 40%,transparent) 100%/3rem 100% no-repeat local,
    linear-gradient(90deg,var(--line),transparent) 0/.4rem 100% no-repeat,
    linear-gradient(270deg,var(--line),transparent) 100%/.4rem 100% no-repeat,var(--card)
}
hr{border:0;border-top:1px solid var(--rule);margin:1.5rem 0}
blockquote{margin-left:0;padding-left:1rem;border-left:3px solid var(--rule);color:var(--quiet)}
dt{font-weight:600}
dd{margin:0 0 .75rem}
figure{margin:0 0 1rem}
figcaption{max-width:44rem;font-size:.9375rem}
.lead{font-size:1.15rem;line-height:1.55}
.quiet{color:var(--quiet)}
.plain{white-space:pre-line}
.meta{
  display:flex;flex-wrap:wrap;gap:0 1.1em;color:var(--quiet);font-size:.9375rem;
  clip-path:inset(-.4rem -99rem -.4rem -.4em)
}
.meta>span{min-height:1.5rem}
.meta i{position:absolute;margin-left:-.7em;color:var(--line);font-style:normal}
.rows{padding:0;list-style:none;border-top:1px solid var(--rule)}
.rows>li{padding:.85rem 0;border-bottom:1px solid var(--rule)}
.rows p{margin:.1rem 0 0}
.rows .name{font-weight:600;color:var(--text);text-decoration:none}
.rows .name:hover{text-decoration:underline}
.pager{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline;margin:1.25rem 0}
.card,.empty{padding:1rem 1.15rem;border-radius:.6rem;background:var(--card);margin:0 0 1.5rem}
.card>:first-child{margin-top:0}
.card>:last-child,.empty>:last-child{margin-bottom:0}
.tag{
  display:inline-block;padding:0 .5em;border:1px solid var(--line);border-radius:1em;
  font-size:.8125rem;line-height:1.6;color:var(--quiet)
}
.tag.warn{color:var(--warn);border-color:var(--warn)}
.figures{
  display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:1rem;
  margin:0 0 1.5rem
}
.figures div{display:flex;flex-direction:column-reverse;justify-content:flex-end}
.figures dt{font-weight:400;color:var(--quiet);font-size:.9375rem}
.figures dd{font-size:1.6rem;line-height:1.2;font-variant-numeric:tabular-nums;margin:0}
.plot{display:block;width:100%;height:auto;fill:var(--accent)}
.rates{width:calc(100% - 4.5rem);height:18rem;margin:1rem .5rem 2.25rem 4rem;font-size:.875rem}
.rates,.rates svg{overflow:visible}
.rates .line{fill:none;stroke:var(--accent)}
.scroll{overflow-x:auto;overflow-wrap:normal;margin:0 0 1rem}
.scroll table{margin:0}
table{border-collapse:collapse;font-size:.9375rem}
th,td{
  padding:.35rem .9rem .35rem 0;border-bottom:1px solid var(--rule);text-align:left;
  vertical-align:top
}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
td time{white-space:nowrap}
.files{padding:0;list-style:none;font-size:.9375rem}
mark{background:var(--mark);color:inherit;border-radius:.15em}
.field{margin:1.25rem 0}
.field>label{display:block;font-weight:600}
.field>.quiet,.field>.fault{display:block;margin-top:.1rem}
.field :is(input,select,textarea){margin-top:.35rem}
.field>label>input{font-weight:400}
.inline{display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 1.5rem}
.inline label{flex-basis:100%;font-weight:600}
.inline button{margin:0}
.inline input{flex:1 1 14rem;width:auto}
.fault{color:var(--warn);font-weight:600}
.faults{border:2px solid var(--warn);border-radius:.5rem;padding:1rem;margin:0 0 1.5rem}
.faults>h2{margin:0}
.faults>:is(ul,p){margin:.5rem 0 0}
.faults ul{padding-left:1.25rem}
.faults a{color:var(--warn)}
input,select,textarea,button{
  font:inherit;color:inherit;width:100%;min-height:2.75rem;padding:.5rem .7rem;
  border:1px solid var(--line);border-radius:.5rem;background:var(--field)
}
textarea{min-height:8rem;resize:vertical}
fieldset{margin:1.25rem 0;padding:.25rem 1rem;border:1px solid var(--line);border-radius:.5rem}
legend{padding:0 .35rem;font-weight:600}
fieldset p{margin:0}
fieldset label{display:flex;align-items:center;gap:.75rem;min-height:2.75rem}
:is([type=checkbox],[type=radio]){
  flex:none;width:1.25rem;min-height:1.25rem;margin:0;padding:0;accent-color:var(--accent)
}
[aria-invalid=true]{border:2px solid var(--warn)}
button{
  width:auto;margin-bottom:1rem;padding:.5rem 1.5rem;background:var(--accent);
  border-color:var(--accent);color:var(--on-accent);font-weight:600;cursor:pointer
}
button.plain{background:none;color:inherit;border-color:var(--line)}
button.danger{background:var(--warn);border-color:var(--warn);color:var(--ground)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media(min-width:40rem){
  .facts{display:grid;grid-template-columns:minmax(9rem,max-content) 1fr;gap:.35rem 1.5rem}
  .facts dd{margin:0}
}
@media(max-width:40rem){
  .rates{height:13rem}
  .rates path{stroke-width:3.5}
}
@media(max-width:30rem){
  .top{column-gap:1rem}
  .top .find{order:3;flex-basis:100%;max-width:none}
  .top .find+nav{margin-left:auto}
  .top ul{gap:0 1rem}
  .top nav+nav ul{gap:0 .6rem}
  td:last-child:not(.number):not(:nth-child(2)){min-width:11rem}
  body{font-size:1rem}
  h1{font-size:1.55rem}
  main{padding-top:1rem}
}
${readingStyle}${placesStyle}
@media print{
  :root{color-scheme:light;--ground:#fff;font-size:9pt}
  .top nav,.foot,.skip,.pager,.tabs,.rail,.act,form{display:none}
  .cols{display:block}
  article pre{max-height:none;white-space:pre-wrap}
  body{padding:0}
  a{color:inherit}
  pre,tr,.card,.rows>li{break-inside:avoid}
  h1,h2,h3,article>header{break-after:avoid}
}
`;
