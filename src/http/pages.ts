import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Environment, Execute } from '../kernel/environment.ts';
import { fail, type Problem } from '../kernel/errors.ts';
import { type Fields, type FormOperation, parseForm } from '../kernel/form.ts';
import { html } from '../kernel/html.ts';
import type { AnyOperation, Operation } from '../kernel/operation.ts';
import { PAGE_MEDIA, type Page, pageHeaders, pageText } from '../kernel/page.ts';
import { resultHeaders } from './headers.ts';
import { toCall, toFastifyPath } from './routes.ts';

const originOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/**
 * Refuses what a page of another site sends. Browsers say where a request comes from, old ones by the referrer alone; whoever says
 * nothing is no browser. Errors: `forbidden`.
 */
function assertFromHere({ headers }: FastifyRequest, baseUrl: string): void {
  const { host, 'sec-fetch-site': site, origin = headers.referer } = headers;
  const from = originOf(origin ?? '');
  const ours =
    site === undefined
      ? origin === undefined || (from !== undefined && (from.host === host || from.origin === originOf(baseUrl)?.origin))
      : site === 'same-origin' || site === 'none';
  if (!ours) throw fail('forbidden', 'This form is taken from its own page only. Open that page, and send the form from there.');
}

const send = (reply: FastifyReply, page: Page): FastifyReply => reply.headers(pageHeaders).type(PAGE_MEDIA).send(pageText(page));

/** Registers the form of a page. It takes what a browser sends, and no JSON. */
export function addForm(http: FastifyInstance, operation: FormOperation, env: Environment, execute: Execute): void {
  const { installation } = env;
  const effect = operation.effect as unknown as Operation;
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(/^application\/x-www-form-urlencoded\s*(;|$)/i, { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
      parseForm(body),
    );
    scope.addContentTypeParser('*', async () => {
      throw fail('unsupported_media_type', 'Send the fields as a browser does: with Content-Type: application/x-www-form-urlencoded.');
    });
    scope.route({
      method: 'POST',
      url: toFastifyPath(operation.path, operation),
      config: { operation },
      onRequest: async (request) => assertFromHere(request, installation.baseUrl),
      handler: async (request, reply) => {
        const typed = (request.body ?? {}) as Fields;
        const result = await execute(effect, { ...toCall(request, reply), body: operation.read?.(typed) ?? typed });
        resultHeaders(reply, request, operation, result, installation.baseUrl);
        return send(reply, operation.done(JSON.parse(String(result.body))));
      },
    });
  });
}

/** Whether a refusal is told by a page: where a page is what one came for. Whoever asks for JSON gets the problem itself. */
export const tellsByPage = (operation: AnyOperation | undefined, accept = ''): boolean =>
  operation !== undefined && 'media' in operation && operation.media === 'text/html' && !(/\bjson\b/.test(accept) && !accept.includes('text/html'));

const refusalPage = ({ title, detail, requestId }: Problem): Page => ({
  title,
  main: html`<h1>${title}</h1>
<p>${detail}</p>
<p class="quiet">Request <code>${requestId}</code></p>`,
});

/** A refusal as a page: a form with what was typed and what is wrong with it, or what happened. Status and headers stand already. */
export function sendRefusal(reply: FastifyReply, operation: AnyOperation, problem: Problem, body: unknown): FastifyReply {
  const typed = (typeof body === 'object' && body !== null ? body : {}) as Fields;
  return send(reply, operation.kind === 'form' ? operation.refused(problem, typed) : refusalPage(problem));
}
