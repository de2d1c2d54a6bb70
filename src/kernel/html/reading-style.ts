/**
 * The part of the stylesheet for lists of one line a row and for threads. The rail and the columns
 * come at widths at which the text keeps its measure. What one does with a message is quiet, but
 * always there: people who saw pictures alone did not find what only showed when pointed at.
 */
export const readingStyle = `
.c0{--sq:#3b6fb5}.c1{--sq:#b5533b}.c2{--sq:#3f8f5b}.c3{--sq:#8a5cb8}.c4{--sq:#b8862b}
.c5{--sq:#2f8f97}.c6{--sq:#b8478a}.c7{--sq:#6b7d2a}.c8{--sq:#7a6a5d}.c9{--sq:#5a5fc7}
.sq{
  display:inline-block;width:12px;height:12px;margin-right:.45em;border-radius:3px;
  background:var(--sq);forced-color-adjust:none;print-color-adjust:exact
}
.deeds{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem;margin:0 0 .5rem}
.deeds button{margin:0;min-height:2.25rem;padding:.2rem .9rem}
.crumb{margin:0 0 .1rem;font-size:.9375rem}
.tabs ul{
  display:flex;flex-wrap:wrap;gap:0 1.25rem;margin:0 0 .25rem;padding:0;list-style:none;
  font-size:.9375rem
}
.tabs a{display:inline-block;padding:.3rem 0;color:var(--quiet);text-decoration:none}
.tabs a:hover{text-decoration:underline}
.tabs [aria-current]{color:var(--text)}
.lines{padding:0;list-style:none;border-top:1px solid var(--rule)}
.lines>li{
  display:flex;flex-wrap:wrap;align-items:baseline;gap:0 1rem;padding:.4rem .1rem;
  border-bottom:1px solid var(--rule)
}
.lines>li:hover{background:var(--card)}
.lines .what{flex:1 1 100%;min-width:0}
.lines .name{display:inline-block;font-weight:600;color:var(--text);text-decoration:none}
.lines .name:hover{text-decoration:underline}
.lines .tag{color:var(--quiet);text-decoration:none;font-size:.75rem;line-height:1.5}
.lines .cell,.lines .sub,.lines .note{color:var(--quiet);font-size:.875rem}
.lines .note{display:block}
.lines .sub{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.lines .cell a,.lines .sub a,.lines .note a{color:inherit;text-decoration:none}
.lines .cell a{display:inline-block;min-width:1.5rem;padding:.15rem 0}
.lines .cell a:hover,.lines .sub a:hover,.lines .note a:hover{text-decoration:underline}
.done{color:var(--good);font-weight:700}
.outcome{
  margin:0 0 .9rem;padding:.6rem 1rem;border-left:4px solid var(--good);
  border-radius:0 .5rem .5rem 0;background:var(--card);font-size:1.0625rem
}
.outcome h2{
  margin:0;color:var(--good);font-size:.8125rem;letter-spacing:.04em;text-transform:uppercase
}
.outcome p{margin:.15rem 0}
.outcome .meta{font-size:.875rem}
.outcome.none{padding:.15rem 1rem;border-color:var(--line);color:var(--quiet);font-size:.9375rem}
.cols .pager{margin:.5rem 0}
main.wide>:is(p,details){max-width:46rem}
.day{
  display:flex;align-items:center;gap:.75rem;margin:.5rem 0 .1rem;color:var(--quiet);
  font-size:.8125rem
}
.day::before,.day::after{content:"";flex:1;border-top:1px solid var(--rule)}
article{position:relative;padding:.35rem 0;scroll-margin-top:.5rem}
article.more{padding-top:.05rem}
article:target{box-shadow:-.75rem 0 var(--ground),-1rem 0 var(--accent)}
article>header{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .75rem;font-size:.875rem}
article>header h3{font-size:1rem;line-height:1.5;margin:0}
article>header h3 a{color:var(--text);text-decoration:none}
article>header a:hover{text-decoration:underline}
article>header,article>header :is(a,button){color:var(--quiet)}
article>header>a,.act a{text-decoration:none}
article>header>a,.act a,.lines a.tag{
  display:inline-block;min-width:1.5rem;padding-top:.15rem;padding-bottom:.15rem
}
article .act{display:flex;gap:0 .75rem;margin-left:auto}
article .text>:last-child,article>:last-child{margin-bottom:0}
article>.deeds{margin:.15rem 0 .5rem}
article p{margin-bottom:.5rem}
article pre{max-height:24rem;overflow:auto;white-space:pre;overflow-wrap:normal}
article pre.long{white-space:pre-wrap;overflow-wrap:anywhere}
pre[data-lang]::before{
  content:attr(data-lang);display:block;color:var(--quiet);font-size:.9em
}
.rail{font-size:.9375rem}
.rail h2{margin:1.1rem 0 .3rem;font-size:.8125rem;color:var(--quiet);font-weight:600}
.rail ul{margin:0;padding:0;list-style:none}
.rail li a{color:var(--text);text-decoration:none}
.rail li a:hover{text-decoration:underline}
.rail .command span{white-space:normal;overflow-wrap:anywhere}
.rail .inline label{font-weight:400}
.rail .inline input{flex:1 1 5rem;min-height:2.25rem}
.rail .inline button{min-height:2.25rem;padding:.2rem .8rem}
.sum{margin:0 0 .75rem;color:var(--quiet)}
.sum strong{color:var(--text);font-variant-numeric:tabular-nums}
.spark{height:40px;max-width:28rem}
.hidden{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}
@media(min-width:48rem){
  .lines>li{flex-wrap:nowrap}
  .lines .what{flex:1 1 0}
  .lines .cell{
    flex:none;min-width:8.5rem;max-width:14rem;text-align:right;white-space:nowrap;
    overflow:hidden;text-overflow:ellipsis
  }
  .lines .line .name{display:inline}
  .lines .line{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
}
@media(min-width:1100px){
  .cols .cell{min-width:5.5rem}
  .cols{display:grid;grid-template-columns:minmax(0,46rem) minmax(0,1fr);gap:0 3rem}
  .cols>.rail{padding-left:1.5rem;border-left:1px solid var(--rule)}
  .cols>.rail>:first-child{margin-top:0}
  .cols>.rail.stay{position:sticky;top:1rem;align-self:start;max-height:95vh;overflow:auto}
}
@media(forced-colors:active){
  .outcome,.card,pre,article:target{border:1px solid}
  .tabs [aria-current],ul [aria-current]{text-decoration:underline}
}
`;
