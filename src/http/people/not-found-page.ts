import { type Html, html } from '../../kernel/html/html.ts';

/** Renders where a person goes from an address that has nothing to show. */
export const renderNotFoundHint = (
  signIn: string,
): Html => html`<form class="inline" method="get" action="/search" role="search">
<label for="q">Search what is public here</label><input id="q" name="q" type="search" required>
<button class="plain">Search</button></form>
<p>Go to <a href="/">the front page</a>, <a href="/rooms">the rooms</a> or
<a href="/docs">the documents</a>.</p>
<p>Check the address if you typed it. Private content is visible only to people with access:
<a href="${signIn}">sign in</a> if you have a key with access.</p>`;
