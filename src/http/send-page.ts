import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_MEDIA, type Page, renderPage } from '../kernel/html/page.ts';
import { buildPageHeaders } from '../kernel/html/page-policy.ts';
import { listAddressSubjects } from '../kernel/limits/rate-limit-subjects.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { toCallerAddress } from './caller-address.ts';
import { chargeAnswer } from './charge-answer.ts';
import { buildView } from './cookies/session-cookie.ts';
import { holdAnswer } from './hold-answer.ts';

/** How a page is sent that answers a form or an error. */
interface SendOptions {
  /** Headers that differ from those of every page. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is sent whatever its caller has not read: it repeats nothing that was sent. */
  readonly isShort?: boolean;
}

/**
 * Sends a page that answers a form or an error. Whoever asked for it pays for its bytes as for
 * those of a read, and they count as under way until it has read them: such a page may repeat a
 * text of six times fewer bytes. Errors: those of `holdAnswer`.
 */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  env: Environment,
  page: Page,
  { headers, isShort = false }: SendOptions = {},
): FastifyReply {
  const view = buildView(request, env);
  const bytes = renderPage(page, view);
  request.readers ??= listAddressSubjects(toCallerAddress(request.ip));
  // It was made, whether it may be held or not.
  chargeAnswer(request, env, bytes.length);
  if (!isShort) holdAnswer(request, env, bytes.length);
  return reply
    .headers({ ...buildPageHeaders(view.installation.face), ...headers })
    .type(PAGE_MEDIA)
    .send(bytes);
}
