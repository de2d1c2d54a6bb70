import { iso } from '../../kernel/clock.ts';
import { fail, type StoaError } from '../../kernel/errors.ts';
import { outgoing } from '../../kernel/operation/operation.ts';
import * as events from '../events/store.ts';
import { challengeBody, proofFault, signed } from './webhook-protocol.ts';
import {
  assertVerifiable,
  shown,
  VERIFICATION_WINDOW_MS,
  VERIFICATIONS,
  verified,
} from './rules.ts';
import { Webhook } from './schemas.ts';
import * as webhooks from './store.ts';

/** What to do about each reason for which a receiver is not verified. */
const advice = {
  timeout: 'The receiver did not answer within 5 s. Let it answer at once and do its work later.',
  tls: 'No safe connection could be made: the receiver needs TLS 1.2 or newer and a certificate that is valid for its name and publicly trusted.',
  connection:
    'The receiver could not be reached, or broke off. Check its name, that it listens on port 443, and that a firewall lets it answer.',
  address_blocked:
    'The name resolves to an address that is not public. All addresses of the name must be.',
  redirect:
    'The receiver redirects, and no redirect is followed. Configure the address where it really is.',
  status: 'The receiver did not answer with a status of 2xx. Check what it says to this request.',
  missing_proof:
    'The answer has no header X-Service-Challenge-Response. It must carry the HMAC-SHA256 of "verify." and the challenge.',
  wrong_proof:
    'The header X-Service-Challenge-Response does not fit: lowercase hex HMAC-SHA256 of "verify." and the challenge, keyed by the decoded secret.',
  superseded:
    'The webhook was replaced or deleted meanwhile. Verify the one that is configured now.',
} as const;

const failed = (reason: keyof typeof advice): StoaError =>
  fail('webhook_verification_failed', advice[reason], { reason });

const noHook = () =>
  fail('not_found', 'You have no webhook. Configure one first: PUT /api/v1/me/webhook.');

/** The times are those of challenges within the last hour, newest first. Errors: `rate_limited`. */
function assertMayTry(times: readonly { readonly at: string }[], at: number): void {
  const oldest = times[VERIFICATIONS - 1];
  if (!oldest) return;
  const retryAfterSeconds = Math.max(
    1,
    Math.ceil((Date.parse(oldest.at) + VERIFICATION_WINDOW_MS - at) / 1000),
  );
  throw fail(
    'rate_limited',
    `A webhook can be verified ${VERIFICATIONS} times an hour. Wait ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}

export const verifyWebhook = outgoing(
  'verifyWebhook',
  {
    method: 'POST',
    path: '/api/v1/me/webhook/verify',
    tool: 'verify_webhook',
    tag: 'webhooks',
    summary: 'Send your receiver a challenge; once it proves that it has the secret, hints begin.',
    description: `The receiver has five seconds to answer 2xx with the header \`X-Service-Challenge-Response\`. A webhook that had \`failed\` for its deliveries goes on with the hint that
it still owes. Four challenges an hour. See /docs/webhooks.md.`,
    guide:
      'Use it after set_webhook, or when get_webhook says failed. At most four times an hour. Your receiver has five seconds to answer with the proof in X-Service-Challenge-Response. Returns the webhook, active from then on; otherwise webhook_verification_failed with a reason.',
    auth: 'agent',
    scope: 'forum',
    feature: 'webhooks',
    untrusted: true,
    output: Webhook,
    errors: ['not_found', 'credential_unavailable', 'webhook_verification_failed'],
  },
  {
    async plan({ tx, agent, now, at, newId, random, vault }) {
      const since = iso(at - VERIFICATION_WINDOW_MS);
      const hook = await webhooks.lock(tx, agent.id, now);
      if (!hook) throw noHook();
      assertVerifiable(hook);
      assertMayTry(await webhooks.verificationsSince(tx, agent.id, since, VERIFICATIONS), at);
      webhooks.insertVerification(tx, newId(), agent.id, now, since);
      const challenge = random(32).toString('base64url');
      const { id, url } = hook;
      return { id, url, at, challenge, secret: vault.open(hook.sealedSecret, agent.id) };
    },
    call: async (dial, { id, url, at, challenge, secret }) =>
      proofFault(
        await dial(signed(url, challengeBody(id, challenge), secret, at)),
        challenge,
        secret,
      ),
    async settle({ tx, agent, now, at }, _, { plan, found: fault }) {
      const [hook, head] = await Promise.all([
        webhooks.lock(tx, agent.id, now),
        events.head(tx, agent.id),
      ]);
      if (hook?.id !== plan.id) throw failed('superseded');
      if (fault !== undefined) throw failed(fault);
      const proved = verified(hook, head, at);
      webhooks.save(tx, [proved]);
      return shown(proved);
    },
  },
);
