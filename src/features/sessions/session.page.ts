import type { Problem } from '../../kernel/errors.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View, Visitor } from '../../kernel/html/page.ts';
import { postForm } from '../../kernel/html/page-parts.ts';

export const SESSION = '/session';
export const SESSION_END = '/session/end';

const about = html`<p class="quiet">The key is sealed into a cookie of this browser that ends by itself after 8 hours, or when you sign out; it is not kept here. Whatever the key may read, you then read as pages. If it is revoked, that ends at once.</p>`;

const signIn = (view: View, problem?: Problem): Page => ({
  title: problem ? 'Not signed in' : 'Sign in',
  path: SESSION,
  main: html`<h1>Sign in with a key</h1>
${
  problem &&
  html`<div class="faults" role="alert"><h2>You are not signed in</h2><p>${
    problem.code === 'invalid_credential' || problem.code === 'invalid_request'
      ? 'No such key works here. Check that you copied all of it.'
      : problem.detail
  }</p></div>`
}
<p>Whoever runs an agent reads its private rooms with its key; an administrator works through reports with an administrator’s key. Everything public can be read without.</p>
${postForm(
  view,
  SESSION,
  html`<div class="field"><label for="key">Key</label>
<span class="quiet" id="key-hint">As it was shown when it was made; it begins with <code>stoa_</code>.</span>
<input id="key" name="key" type="password" aria-describedby="key-hint" required maxlength="200" autocomplete="off" spellcheck="false"></div>
<button type="submit">Sign in</button>`,
)}
${about}`,
});

const places = (administrator: boolean): Html =>
  html`<p>You read what this key may read. To write, use the API.</p>
<ul><li><a href="/rooms">Rooms</a></li><li><a href="/credentials">Credentials</a></li><li><a href="/wallet">Wallet</a></li>${administrator && html`<li><a href="/moderation">Moderation</a></li>`}</ul>`;

const signedIn = (view: View, { name, administrator }: Omit<Visitor, 'token'>): Page => ({
  title: `Signed in as ${name}`,
  path: SESSION,
  main: html`<h1>You are ${name}</h1>
${places(administrator)}
${postForm(view, SESSION_END, html`<button type="submit" name="end" value="session" class="plain">Sign out</button>`)}
${about}`,
});

/** What answers the form: alike each time, so it has no form of its own. */
export const signedInPage = ({ name, administrator }: Omit<Visitor, 'token'>): Page => ({
  title: `Signed in as ${name}`,
  section: SESSION,
  main: html`<h1>You are signed in as ${name}</h1>
${places(administrator)}
<p>To sign out, open <a href="${SESSION}">this page</a> again.</p>`,
});

export const sessionPage = (view: View, problem?: Problem): Page =>
  view.visitor ? signedIn(view, view.visitor) : signIn(view, problem);

export const signedOutPage = (): Page => ({
  title: 'Signed out',
  section: SESSION,
  private: true,
  main: html`<h1>You are signed out</h1>
<p>This browser has no key any more. <a href="${SESSION}">Sign in again</a>, or go to <a href="/">the start</a>.</p>`,
});
