import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AnyOperation, isForPeople } from '../kernel/operation/any-operation.ts';
import { type Credentials, credentialsOf } from '../kernel/callers/caller.ts';
import { sha256 } from '../kernel/crypto/credentials.ts';
import type { Call, Environment, Execute } from '../kernel/pipeline/environment.ts';
import { fail, type Problem } from '../kernel/errors.ts';
import { type Fields, type FormOperation, parseForm } from '../kernel/operation/form.ts';
import { html } from '../kernel/html/html.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import { PAGE_MEDIA, type Page, pageHeaders, pageText, type View } from '../kernel/html/page.ts';
import { parseUrl } from '../kernel/schema/url.ts';
import { resultHeaders } from './response-headers.ts';
import { toCall, toFastifyPath } from './operation-routes.ts';
import { beginSession, endSession, viewFor } from './sessions.ts';

/**
 * Refuses what a page of another site sends. Browsers say where a request comes from, old ones by the referrer alone; whoever says
 * nothing is no browser. Errors: `forbidden`.
 */
function assertFromHere({ headers }: FastifyRequest, baseUrl: string): void {
  const { host, 'sec-fetch-site': site, origin = headers.referer } = headers;
  const from = parseUrl(origin ?? '');
  const ours =
    site === undefined
      ? origin === undefined ||
        (from !== null && (from.host === host || from.origin === parseUrl(baseUrl)?.origin))
      : site === 'same-origin' || site === 'none';
  if (!ours)
    throw fail(
      'forbidden',
      'This form is taken from its own page only. Open that page, and send the form from there.',
    );
}

const send = (reply: FastifyReply, page: Page, view: View): FastifyReply =>
  reply.headers(pageHeaders).type(PAGE_MEDIA).send(pageText(page, view));

/**
 * What was typed, without the proof that it was typed on a page of this very session. Errors: `forbidden` when a signed-in person's
 * form has not got it.
 */
function proven({ session, body }: FastifyRequest): Fields {
  const { token = '', ...typed } = (body ?? {}) as Fields;
  if (session && !timingSafeEqual(sha256(token), sha256(session.visitor.token)))
    throw fail(
      'forbidden',
      'This form was made before you signed in, or for somebody else. Open its page again, and send the form from there.',
    );
  return typed;
}

/**
 * As whom a form is sent. What anyone may send is nobody's, also when somebody is signed in; who signs in shows a key in the form, if none
 * in a header says who calls.
 */
function credentialsFor(
  { auth, session }: FormOperation,
  { credentials, visitor }: Call,
  { key }: Readonly<Record<string, unknown>>,
): Credentials {
  const inHeader = visitor ? {} : credentials;
  const shown = inHeader.adminKey ?? inHeader.apiKey;
  if (session === 'begin' && shown === undefined && typeof key === 'string')
    return credentialsOf(key);
  return auth === 'public' ? inHeader : credentials;
}

/** Registers the form of a page. It takes what a browser sends, and no JSON. */
export function addForm(
  http: FastifyInstance,
  operation: FormOperation,
  env: Environment,
  execute: Execute,
): void {
  const { installation } = env;
  const effect = operation.effect as unknown as Operation;
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      /^application\/x-www-form-urlencoded\s*(;|$)/i,
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => parseForm(body),
    );
    scope.addContentTypeParser('*', async () => {
      throw fail(
        'unsupported_media_type',
        'Send the fields as a browser does: with Content-Type: application/x-www-form-urlencoded.',
      );
    });
    scope.route({
      method: 'POST',
      url: toFastifyPath(operation.path, operation),
      config: { operation },
      onRequest: async (request) => assertFromHere(request, installation.baseUrl),
      handler: async (request, reply) => {
        const typed = proven(request);
        const body = operation.read?.(typed) ?? typed;
        const call = toCall(request, reply);
        const credentials = credentialsFor(operation, call, body);
        const result = await execute(effect, { ...call, credentials, body });
        const output = JSON.parse(String(result.body));
        if (operation.session === 'begin')
          await beginSession(
            request,
            reply,
            env,
            credentials.adminKey ?? credentials.apiKey ?? '',
            output,
          );
        if (operation.session === 'end') endSession(request, reply, env);
        resultHeaders(reply, request, operation, result, installation.baseUrl);
        const view = viewFor(request, env);
        return send(reply, operation.done(output, view), view);
      },
    });
  });
}

/** Whether a refusal is told by a page: to browsers where people read, and to all but programs where a page is what one came for. */
export function tellsByPage(
  operation: AnyOperation | undefined,
  { method, url, headers: { accept = '' } }: FastifyRequest,
): boolean {
  const browser = accept.includes('text/html');
  if (!operation) return browser && method === 'GET' && !url.startsWith('/api/');
  return (
    isForPeople(operation) &&
    (browser ||
      ('media' in operation && operation.media === 'text/html' && !/\bjson\b/.test(accept)))
  );
}

/** Titles of problems are sentences. */
const heading = (title: string): string => title.replace(/\.$/, '');

const refusalPage = ({ title, detail, code, requestId }: Problem): Page => ({
  title: heading(title),
  main: html`<h1>${heading(title)}</h1>
<p>${detail}</p>
${(code === 'unauthenticated' || code === 'invalid_credential') && html`<p>People read with a key by <a href="/session">signing in</a> with it.</p>`}
${code === 'not_found' && html`<p>What is private is found by those who may read it alone. <a href="/session">Sign in</a> if you have a key that may, look in <a href="/search">the search</a>, or begin at <a href="/">the front page</a>.</p>`}
<p class="quiet">Request <code>${requestId}</code></p>`,
});

/** A refusal as a page: a form with what was typed and what is wrong with it, or what happened. Status and headers stand already. */
export function sendRefusal(
  reply: FastifyReply,
  request: FastifyRequest,
  operation: AnyOperation | undefined,
  problem: Problem,
  env: Environment,
): FastifyReply {
  const { body } = request;
  const { token: _, ...typed } = (typeof body === 'object' && body !== null ? body : {}) as Fields;
  const view = viewFor(request, env);
  return send(
    reply,
    operation?.kind === 'form' ? operation.refused(problem, typed, view) : refusalPage(problem),
    view,
  );
}
