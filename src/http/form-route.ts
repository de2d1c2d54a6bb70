import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Credentials, toCredentials } from '../kernel/callers/caller.ts';
import { sha256 } from '../kernel/crypto/credentials.ts';
import { fail, type Problem, StoaError } from '../kernel/errors.ts';
import { html } from '../kernel/html/html.ts';
import type { Page } from '../kernel/html/page.ts';
import { renderFaults } from '../kernel/html/page-refusals.ts';
import { type AnyOperation, isForPeople } from '../kernel/operation/any-operation.ts';
import { type FormFields, type FormOperation, parseForm } from '../kernel/operation/form.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import type { Call, Environment, Execute } from '../kernel/pipeline/environment.ts';
import { parseUrl } from '../kernel/schema/url.ts';
import { admitCall, countRefusal, takeAddressToken } from './admission/admission.ts';
import { FORM_BODY_BYTES } from './admission/body-limits.ts';
import { readBody } from './admission/request-body.ts';
import { beginSession, buildView, endSession } from './cookies/session-cookie.ts';
import { LARGE_BYTES } from './hold-answer.ts';
import { toCall, toFastifyPath } from './operation-routes.ts';
import { renderNotFoundHint } from './people/not-found-page.ts';
import { toProblemForPeople } from './people/problem-for-people.ts';
import { setResultHeaders } from './response-headers.ts';
import { sendPage } from './send-page.ts';
import { waitForCallersTurn } from './wait-for-turn.ts';

/**
 * Asserts that no page of another site sent a form. Browsers say where a request comes from, old
 * ones only in the referrer. A client that says nothing is not a browser. Errors: `forbidden`.
 */
export function assertSameOrigin({ headers }: FastifyRequest, baseUrl: string): void {
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
      'This form is accepted only from its own page. Open that page and send the form from there.',
    );
}

/**
 * Returns the fields of a form without its token, which proves that a page of this session rendered
 * the form. Errors: `forbidden` when a signed-in person's form has no or another token.
 */
export function readTrustedFields({ session, body }: FastifyRequest): FormFields {
  const { token = '', ...typed } = (body ?? {}) as FormFields;
  if (session && !timingSafeEqual(sha256(token), sha256(session.visitor.token)))
    throw fail(
      'forbidden',
      'This form is from before you signed in, or was made for somebody else. Open its page ' +
        'again and send the form from there.',
    );
  return typed;
}

/**
 * Returns the credentials with which a form is sent. A form that anyone may send is anonymous, even
 * from a signed-in person. The form that signs in has a key in a field, unless a header has one.
 */
function chooseCredentials(
  { auth, session }: FormOperation,
  { credentials, visitor }: Call,
  { key }: Readonly<Record<string, unknown>>,
): Credentials {
  const inHeader = visitor ? {} : credentials;
  const headerKey = inHeader.adminKey ?? inHeader.apiKey;
  if (session === 'begin' && headerKey === undefined && typeof key === 'string')
    return toCredentials(key);
  return auth === 'public' ? inHeader : credentials;
}

const failMediaType = () =>
  fail(
    'unsupported_media_type',
    'Send the fields as a browser does: with Content-Type: application/x-www-form-urlencoded.',
  );

/** A media type in Accept whose client does not say that it wants none of it. */
const NAMED_HTML = /(?:^|,)\s*text\/html\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))[^,]*)?(?=,|$)/i;

/** Registers the form of a page. It takes the encoding of browsers, and no JSON. */
export function addForm(
  http: FastifyInstance,
  operation: FormOperation,
  env: Environment,
  execute: Execute,
): void {
  const { installation } = env;
  const effect = operation.mutation as unknown as Operation;
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      /^application\/x-www-form-urlencoded\s*(;|$)/i,
      async (request: FastifyRequest, payload: IncomingMessage) =>
        parseForm(await readBody(request, payload, env)),
    );
    scope.addContentTypeParser('*', async ({ refusal }: FastifyRequest) => {
      throw refusal ?? failMediaType();
    });
    scope.route({
      method: 'POST',
      url: toFastifyPath(operation.path, operation),
      config: { operation },
      onRequest: async (request, reply) => {
        await countRefusal(env, request, reply, () =>
          assertSameOrigin(request, installation.baseUrl),
        );
        const call = toCall(request, reply, env);
        const credentials = chooseCredentials(operation, call, {});
        // The form that signs in has its key in the body, so nobody is known yet.
        if (operation.session === 'begin' && !credentials.adminKey && !credentials.apiKey)
          await takeAddressToken(env, request, reply);
        else
          try {
            const admission = await admitCall(env, effect, { ...call, credentials });
            const bodyLimit = Math.min(admission.bodyLimit, FORM_BODY_BYTES);
            request.admission = { ...admission, bodyLimit };
          } catch (error) {
            // The page that refuses shows what was typed, so the body is read all the same.
            if (!(error instanceof StoaError)) throw error;
            if (error.code === 'rate_limited') await takeAddressToken(env, request, reply);
            request.refusal = error;
          }
      },
      handler: async (request, reply) => {
        if (request.refusal) throw request.refusal;
        const typed = readTrustedFields(request);
        const body = operation.toBody?.(typed) ?? typed;
        const call = toCall(request, reply, env);
        const credentials = chooseCredentials(operation, call, body);
        const idempotencyKey = call.idempotencyKey ?? operation.toIdempotencyKey?.(typed);
        const result = await execute(effect, { ...call, idempotencyKey, credentials, body });
        const output = JSON.parse(String(result.body));
        if (operation.session === 'begin')
          await beginSession(
            request,
            reply,
            env,
            credentials.adminKey ?? credentials.apiKey ?? '',
            output,
          );
        if (operation.session === 'end') await endSession(request, reply, env);
        setResultHeaders(reply, request, operation, result, installation);
        if (operation.toNextPath && NAMED_HTML.test(request.headers.accept ?? ''))
          return reply.redirect(operation.toNextPath(output), 303);
        const page = await operation.renderDone(output, buildView(request, env), () =>
          waitForCallersTurn(request, env),
        );
        return sendPage(request, reply, env, page);
      },
    });
  });
}

/**
 * Whether to answer an error with a page instead of a problem: to a client whose Accept names
 * text/html, of an operation for people or, where no operation is, of a GET outside of the API.
 */
export function isAnsweredByPage(
  operation: AnyOperation | undefined,
  { method, url, headers: { accept = '' } }: FastifyRequest,
): boolean {
  if (!NAMED_HTML.test(accept)) return false;
  return operation ? isForPeople(operation) : method === 'GET' && !url.startsWith('/api/');
}

/** The page that signs in, and leads on to the one that was asked for. */
const toSignIn = (url: string): string => `/session?${new URLSearchParams({ back: url })}`;

/** A page for people that needs a key: what a program would be told is of no use to a person. */
const buildSignInFirstPage = (auth: string, signIn: string, requestId: string): Page => ({
  title: 'Sign in first',
  main: html`<h1>Sign in first</h1>
<p>This page is for people who signed in with
${auth === 'admin' ? 'the key of an administrator' : 'the key of an agent'}.</p>
<p class="lead"><a href="${signIn}">Sign in</a></p>
<p class="quiet">Request <code>${requestId}</code></p>`,
});

function buildRefusalPage(
  { title, detail, errors, code, requestId }: Problem,
  operation: AnyOperation | undefined,
  url: string,
): Page {
  const signIn = toSignIn(url);
  if (code === 'unauthenticated' && operation)
    return buildSignInFirstPage(operation.auth, signIn, requestId);
  const heading = errors ? 'Something in the address is wrong' : title;
  return {
    title: heading,
    main: html`<h1>${heading}</h1>
${errors ? renderFaults(errors) : html`<p>${detail}</p>`}
${
  code === 'invalid_credential' &&
  html`<p>To read with a key, <a href="${signIn}">sign in</a> with it.</p>`
}
${code === 'not_found' && renderNotFoundHint(signIn)}
<p class="quiet">Request <code>${requestId}</code></p>`,
  };
}

/** Whether a page with these texts is worth a turn of its own. */
const isLong = (typed: FormFields): boolean =>
  Object.values(typed).reduce((sum, { length }) => sum + length, 0) > LARGE_BYTES;

/**
 * Sends an error as a page: the form with what was typed and what is wrong with it, or a page that
 * says what happened. What was typed is not repeated to a caller that has too much to read already.
 * The caller has set status and headers.
 */
export async function sendRefusal(
  reply: FastifyReply,
  request: FastifyRequest,
  operation: AnyOperation | undefined,
  problem: Problem,
  env: Environment,
): Promise<FastifyReply> {
  const { body } = request;
  const { token: _, ...typed } = (
    typeof body === 'object' && body !== null ? body : {}
  ) as FormFields;
  const forPeople = toProblemForPeople(problem, operation?.name);
  const path = request.url.split('?', 1)[0] ?? '';
  const build = (fields: FormFields): Page =>
    operation?.kind === 'form'
      ? operation.renderRefused(forPeople, fields, buildView(request, env), path)
      : buildRefusalPage(forPeople, operation, request.url);
  try {
    if (isLong(typed)) await waitForCallersTurn(request, env);
    return sendPage(request, reply, env, build(typed));
  } catch (error) {
    if (!(error instanceof StoaError)) throw error;
    return sendPage(request, reply, env, build({}), { isShort: true });
  }
}
