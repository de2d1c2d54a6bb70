import type { TestApp } from './app.ts';
import { type Answer, call } from './factories.ts';

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

/** A person with a browser that keeps cookies: what one does on pages, by hand. */
export function visitor(app: Pick<TestApp, 'url'>) {
  let cookie = '';
  const buildHeaders = () => ({ accept, ...(cookie && { cookie }) });

  function storeCookie(answer: Answer): Answer {
    const [, pair = '', rest = ''] =
      /^([^;]*)(;.*)$/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
    if (pair !== '') cookie = /Max-Age=0\b/.test(rest) ? '' : pair;
    return answer;
  }

  const v = {
    get cookie() {
      return cookie;
    },
    set cookie(value: string) {
      cookie = value;
    },
    open: async (path: string, url = app.url) =>
      storeCookie(await call(url, 'GET', path, { headers: buildHeaders() })),
    /** The token that the forms of a page carry; undefined when they have none. */
    findToken: async (path: string) =>
      /name="token" value="([^"]+)"/.exec((await v.open(path)).text)?.[1],
    send: async (path: string, fields: Record<string, string>, more: Record<string, string> = {}) =>
      storeCookie(
        await call(app.url, 'POST', path, {
          idem: false,
          raw: new URLSearchParams(fields).toString(),
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            origin: app.url,
            ...buildHeaders(),
            ...more,
          },
        }),
      ),
    /** Fills in the form that stands on a page, and sends it. */
    async submit(path: string, fields: Record<string, string>) {
      const findToken = await v.findToken(path);
      return v.send(path, { ...fields, ...(findToken && { token: findToken }) });
    },
    signIn: (key: string) => v.send('/session', { key }),
  };
  return v;
}
