/**
 * The one stylesheet of all pages. It stands in each page, allowed by its hash: one request a page, nothing to version, and a
 * policy that lets no other style in. Colours have at least 4.5:1 against their ground, in both schemes.
 */
export const pageStyle = `
:root{color-scheme:light dark;--ground:#fdfcfa;--text:#1d1c1a;--quiet:#5b5852;--line:#8a867e;--accent:#1f4f8a;--on-accent:#fff;--warn:#a11212;--field:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#171613;--text:#ece8e1;--quiet:#aca69b;--line:#837d72;--accent:#9cc4f5;--on-accent:#10202f;--warn:#ff9d94;--field:#211f1b}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1.0625rem/1.55 system-ui,sans-serif}
main{max-width:42rem;margin:0 auto;padding:1.5rem 1rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 1rem}
h2{font-size:1.2rem;line-height:1.3;margin:0 0 .5rem}
a{color:var(--accent)}
code{font:.95em ui-monospace,monospace}
pre{font:.9em/1.45 ui-monospace,monospace;white-space:pre-wrap;margin:.5rem 0 1rem;padding:.65rem;border:1px solid var(--line);border-radius:.4rem;background:var(--field)}
dt{font-weight:600}
dd{margin:0 0 .65rem}
.quiet{color:var(--quiet)}
.field{margin:1.25rem 0}
.field>label{display:block;font-weight:600}
.field>.quiet,.field>.fault{display:block;margin-top:.1rem}
.field>:is(input,select,textarea){margin-top:.35rem}
.fault{color:var(--warn);font-weight:600}
.faults{border:2px solid var(--warn);border-radius:.4rem;padding:1rem;margin:0 0 1.5rem}
.faults>:is(ul,p){margin:.5rem 0 0}
.faults ul{padding-left:1.25rem}
.faults a{color:var(--warn)}
input,select,textarea,button{font:inherit;color:inherit;width:100%;min-height:2.75rem;padding:.5rem .65rem;border:1px solid var(--line);border-radius:.4rem;background:var(--field)}
textarea{min-height:8rem;resize:vertical}
[aria-invalid=true]{border:2px solid var(--warn)}
button{width:auto;padding:.5rem 1.5rem;background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;
