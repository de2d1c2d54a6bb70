import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failField } from '../../kernel/errors.ts';
import { buildPageHeaders } from '../../kernel/html/page-policy.ts';
import { type FormFields, parseForm } from '../../kernel/operation/form.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import type {
  SignInAnswer,
  SignInProtocol,
} from '../../kernel/pipeline/protocols/sign-in-protocol.ts';
import { parseBody } from '../../kernel/schema/json.ts';
import { parseUrl } from '../../kernel/schema/url.ts';
import { countRefusal } from '../admission/admission.ts';
import { CONSENT_BODY_BYTES } from '../admission/body-limits.ts';
import { admitStranger, readBody } from '../admission/request-body.ts';
import { toCallerAddress } from '../caller-address.ts';
import { beginSession, buildView, endSession } from '../cookies/session-cookie.ts';
import { assertSameOrigin, readTrustedFields } from '../form-route.ts';
import { toCall } from '../operation-routes.ts';
import { sendPage } from '../send-page.ts';

const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const CONSENT_PATH = '/oauth/authorize';

/** All addresses of signing in, with their methods. */
export const signInPaths = [
  { method: 'GET', path: RESOURCE_PATH },
  { method: 'GET', path: `${RESOURCE_PATH}/mcp/sign-in` },
  { method: 'GET', path: '/.well-known/oauth-authorization-server' },
  { method: 'POST', path: '/oauth/register' },
  { method: 'GET', path: CONSENT_PATH },
  { method: 'POST', path: CONSENT_PATH },
  { method: 'POST', path: '/oauth/token' },
  { method: 'POST', path: '/oauth/revoke' },
] as const;

/** Programs in browsers sign in as well. None of these answers depends on a cookie. */
const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version',
  'access-control-allow-methods': 'GET, POST',
  'access-control-max-age': '86400',
};

/** The value of WWW-Authenticate that leads a client to signing in (RFC 9728, 5.1). */
export const buildChallenge = (baseUrl: string, isInvalid: boolean): string =>
  `Bearer ${isInvalid ? 'error="invalid_token", ' : ''}` +
  `resource_metadata="${baseUrl}${RESOURCE_PATH}/mcp/sign-in", scope="forum"`;

/** Reads the query as a form: each name once (RFC 6749, 3.1). Errors: `invalid_request`. */
const readQuery = ({ url }: FastifyRequest): FormFields =>
  parseForm(Buffer.from(url.split('?').slice(1).join('?'), 'latin1'));

/** Sends an answer that is no page. Nothing of it may be stored (RFC 6749, 5.1). */
const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply
    .headers({ ...openHeaders, 'cache-control': 'no-store', pragma: 'no-cache' })
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));

/**
 * Whether a browser would send the session cookie to an address: it has the name at which the
 * service is called, and cookies go to all ports of a name (RFC 6265, 8.5). Whoever listens there
 * could do all that the person may.
 */
function mayReceiveCookies(request: FastifyRequest, env: Environment, address: string): boolean {
  const to = parseUrl(address);
  const own = [`http://${request.headers.host ?? ''}`, env.installation.baseUrl].map(
    (known) => parseUrl(known)?.hostname,
  );
  return Boolean(to?.hostname && own.includes(to.hostname));
}

/** Signs a person out who is led to an address that would be brought the session. */
async function protectSession(
  request: FastifyRequest,
  reply: FastifyReply,
  env: Environment,
  address: string,
): Promise<void> {
  if (request.session && mayReceiveCookies(request, env, address))
    await endSession(request, reply, env);
}

async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  env: Environment,
  answer: SignInAnswer,
): Promise<FastifyReply> {
  reply.header('cache-control', 'private, no-store');
  if (answer.kind === 'json') return sendJson(reply, answer.status, answer.body);
  if (answer.kind === 'redirect') {
    await protectSession(request, reply, env, answer.location);
    return reply.redirect(answer.location, 303);
  }
  const { status, target, session, leadsTo, back, render } = answer;
  if (leadsTo !== undefined) await protectSession(request, reply, env, leadsTo);
  if (session) await beginSession(request, reply, env, session.key, session.visitor);
  const view = buildView(request, env);
  const policy = buildPageHeaders(view.installation.face)['content-security-policy'] ?? '';
  // Anybody can make such a link, so the page must not sign out. A missing cookie does not mean
  // that nobody is signed in: SameSite withholds it on a link from another site.
  const mayLink = back !== undefined && !mayReceiveCookies(request, env, back);
  return sendPage(request, reply.code(status), env, render(view, mayLink ? back : undefined), {
    headers: {
      // The policy holds for the redirect that answers the form, too.
      'content-security-policy':
        target === null
          ? policy
          : policy.replace("form-action 'self'", (source) => `${source} ${target}`),
      // The page may be open in a window whose opener waits for the end of it.
      'cross-origin-opener-policy': 'unsafe-none',
    },
  });
}

/** Registers the endpoints of OAuth and the consent page. */
export function addSignInRoutes(
  http: FastifyInstance,
  signIn: SignInProtocol,
  env: Environment,
): void {
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      /^application\/x-www-form-urlencoded\s*(;|$)/i,
      async (request: FastifyRequest, payload: IncomingMessage) =>
        parseForm(await readBody(request, payload, env)),
    );
    for (const root of [true, false])
      scope.get(root ? RESOURCE_PATH : `${RESOURCE_PATH}/mcp/sign-in`, (_, reply) =>
        sendJson(reply, 200, signIn.describeResource(root)),
      );
    scope.get('/.well-known/oauth-authorization-server', (_, reply) =>
      sendJson(reply, 200, signIn.describeServer()),
    );
    scope.get(CONSENT_PATH, { config: { forPeople: true } }, async (request, reply) => {
      const answer = await signIn.showConsent(readQuery(request), toCallerAddress(request.ip));
      return sendAnswer(request, reply, env, answer);
    });
    scope.post(CONSENT_PATH, {
      config: { forPeople: true },
      onRequest: async (request, reply) => {
        await countRefusal(env, request, reply, () =>
          assertSameOrigin(request, env.installation.baseUrl),
        );
        request.admission = admitStranger(CONSENT_BODY_BYTES);
      },
      handler: async (request, reply) => {
        const fields = readTrustedFields(request);
        const call = toCall(request, reply, env);
        return sendAnswer(request, reply, env, await signIn.answerConsent(fields, call));
      },
    });
    const readFields = ({ body }: FastifyRequest): FormFields => {
      if (body === undefined || body === null)
        throw failField('/body', 'the fields are missing. Send them as a form does');
      return body as FormFields;
    };
    scope.post('/oauth/token', async (request, reply) =>
      sendAnswer(request, reply, env, await signIn.giveTokens(readFields(request))),
    );
    scope.post('/oauth/revoke', async (request, reply) =>
      sendAnswer(request, reply, env, await signIn.revokeToken(readFields(request))),
    );
    for (const path of new Set(signInPaths.map((one) => one.path)))
      if (path !== CONSENT_PATH)
        scope.options(path, (_, reply) => reply.headers(openHeaders).code(204).send());
  });
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      /^application\/json\s*(;|$)/i,
      async (request: FastifyRequest, payload: IncomingMessage) =>
        parseBody(await readBody(request, payload, env)),
    );
    scope.post('/oauth/register', async (request, reply) =>
      sendAnswer(
        request,
        reply,
        env,
        await signIn.registerClient(request.body, toCallerAddress(request.ip)),
      ),
    );
  });
}
