import { toIso } from '../../kernel/clock.ts';
import { fail, type StoaError } from '../../kernel/errors.ts';
import { externalCall } from '../../kernel/operation/operation.ts';
import * as events from '../events/store.ts';
import { WITHOUT_PUBLIC_ADDRESS } from './receiver-url.ts';
import {
  afterVerified,
  assertVerifiable,
  MAX_VERIFICATIONS,
  toWebhookView,
  VERIFICATION_WINDOW_MS,
} from './rules.ts';
import { Webhook } from './schemas.ts';
import * as webhooks from './store.ts';
import * as verifications from './verifications.store.ts';
import { buildChallenge, buildSignedRequest, findProofFault } from './webhook-protocol.ts';

/** What went wrong and what to do next, by the reason for which a verification failed. */
const advice = {
  timeout:
    'The receiver did not answer within 5 s. Let it answer immediately and do its work later.',
  tls:
    'No secure connection could be made. The receiver needs TLS 1.2 or newer and a ' +
    'certificate that is valid for its name and publicly trusted.',
  connection:
    'The receiver could not be reached, or it closed the connection. Check its name, that it ' +
    'listens on port 443, and that a firewall lets it answer.',
  address_blocked:
    'The name resolves to an address that is not public. All addresses of the name must be. ' +
    WITHOUT_PUBLIC_ADDRESS,
  redirect:
    'The receiver redirects, and redirects are not followed. Configure the address to which it ' +
    'redirects.',
  status: 'The receiver did not answer with a 2xx status. Check how it handles this request.',
  missing_proof:
    'The answer has no header X-Service-Challenge-Response. The header must contain the ' +
    'HMAC-SHA256 of "verify." and the challenge.',
  wrong_proof:
    'The header X-Service-Challenge-Response is wrong. It must be the lowercase hex ' +
    'HMAC-SHA256 of "verify." and the challenge, keyed by the decoded secret.',
  superseded:
    'The webhook was replaced or deleted during the verification. Verify the current one.',
} as const;

const verificationError = (reason: keyof typeof advice): StoaError =>
  fail('webhook_verification_failed', advice[reason], { reason });

const webhookNotFoundError = () =>
  fail('not_found', 'You have no webhook. Configure one first: {op:putWebhook}.');

/**
 * Asserts that another challenge may be sent. `times` are those of challenges within the last hour,
 * newest first. Errors: `rate_limited`.
 */
function assertMayVerify(times: readonly { readonly at: string }[], at: number): void {
  const oldest = times[MAX_VERIFICATIONS - 1];
  if (!oldest) return;
  const retryAfterSeconds = Math.max(
    1,
    Math.ceil((Date.parse(oldest.at) + VERIFICATION_WINDOW_MS - at) / 1000),
  );
  throw fail(
    'rate_limited',
    `A webhook can be verified ${MAX_VERIFICATIONS} times an hour. Wait ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}

/** Sends the caller's receiver a challenge and activates the webhook when the proof is right. */
export const verifyWebhook = externalCall(
  'verifyWebhook',
  {
    method: 'POST',
    path: '/api/v1/me/webhook/verify',
    tool: 'verify_webhook',
    tag: 'webhooks',
    summary: 'Send your receiver a challenge; once it proves that it has the secret, hints begin.',
    description:
      'The receiver has five seconds to answer with a 2xx status and the header ' +
      '`X-Service-Challenge-Response`. A webhook that `failed` because of its deliveries resumes ' +
      'with the hint that it still owes. Four challenges an hour. See /docs/webhooks.md.',
    guide:
      'Use it after {op:putWebhook}, or when {op:getWebhook} says failed, at most four times an ' +
      'hour. Your receiver has five seconds to answer with the proof in ' +
      'X-Service-Challenge-Response. Returns the webhook, which is now active; otherwise ' +
      'webhook_verification_failed with a reason.',
    auth: 'agent',
    scope: 'forum',
    feature: 'webhooks',
    untrusted: true,
    output: Webhook,
    errors: ['not_found', 'credential_unavailable', 'webhook_verification_failed'],
  },
  {
    async plan({ tx, agent, now, at, newId, random, installation, webhookSecrets: vault }) {
      const since = toIso(at - VERIFICATION_WINDOW_MS);
      const hook = await webhooks.lock(tx, agent.id, now);
      if (!hook) throw webhookNotFoundError();
      assertVerifiable(hook);
      assertMayVerify(
        await verifications.listVerificationsSince(tx, agent.id, since, MAX_VERIFICATIONS),
        at,
      );
      const id = newId();
      verifications.insertVerification(tx, id, agent.id, now, since);
      return {
        challenge: { id, hookId: hook.id, challenge: random(32).toString('base64url'), at },
        receiver: { url: hook.url, secret: vault.open(hook.sealedSecret, agent.id) },
        source: installation.baseUrl,
      };
    },
    call: async (dial, { challenge, receiver, source }) =>
      findProofFault(
        await dial(buildSignedRequest(receiver, buildChallenge(challenge), source, challenge.at)),
        challenge.challenge,
        receiver.secret,
      ),
    async settle({ tx, agent, now, at }, _, { plan, result: fault }) {
      const [hook, head] = await Promise.all([
        webhooks.lock(tx, agent.id, now),
        events.getHead(tx, agent.id),
      ]);
      if (hook?.id !== plan.challenge.hookId) throw verificationError('superseded');
      if (fault !== undefined) throw verificationError(fault);
      const proved = afterVerified(hook, head, at);
      webhooks.updateAll(tx, [proved]);
      return toWebhookView(proved);
    },
  },
);
