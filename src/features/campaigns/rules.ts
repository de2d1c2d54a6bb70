import type { PortableAct } from '../adjudication/closing.store.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail, invalid, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import { nextState } from '../../kernel/records/versioned.ts';
import { type CampaignState, machine, type Trigger } from './transitions.ts';

/** Of a notice, in UTF-8 (spec, Limits). */
export const NOTICE_BYTES = 1_200;

/** Posts of one dispatch at most: as long as they last, nobody can stop the campaign or shut a room of theirs. */
export const DISPATCH_NOTICES = 50;

export interface Variant {
  readonly id: string;
  readonly text: string;
}

/** The very text that is sent: the variant, then each disclosure, an empty line between them. Nothing is trimmed, wrapped or cut. */
export const noticeOf = ({ text }: Pick<Variant, 'text'>, disclosures: readonly string[]): string =>
  [text, ...disclosures].join('\n\n');

/** Errors: `invalid_request` for two variants with one id, or with one text: a room would get the same words twice. */
export function assertVariantsDiffer(variants: readonly Variant[]): void {
  for (const member of ['id', 'text'] as const) {
    const twice = variants.findIndex(
      (one, index) => variants.findIndex((other) => other[member] === one[member]) < index,
    );
    if (twice >= 0)
      throw invalid(
        `/body/variants/${twice}/${member}`,
        'is that of another variant. Give each its own.',
      );
  }
}

/** Errors: `invalid_request` for a disclosure of blanks alone: it would tell nobody anything. */
export function assertDiscloses(disclosures: readonly string[]): void {
  const blank = disclosures.findIndex((text) => text.trim() === '');
  if (blank >= 0)
    throw invalid(
      `/body/disclosures/${blank}`,
      'has blanks alone. Say who sends the notice, and how to end notices.',
    );
}

/** Errors: `payload_too_large` with `limit`, and in `errors` every variant whose notice is too long, and the disclosures where they are by themselves. */
export function assertNoticesFit(
  variants: readonly Variant[],
  disclosures: readonly string[],
): void {
  const shared = Buffer.byteLength(disclosures.join('\n\n'));
  const alone =
    shared > NOTICE_BYTES
      ? [{ pointer: '/body/disclosures', detail: `The disclosures alone have ${shared} bytes.` }]
      : [];
  const long = variants.flatMap((variant, index) => {
    const bytes = Buffer.byteLength(noticeOf(variant, disclosures));
    if (bytes <= NOTICE_BYTES) return [];
    return [
      {
        pointer: `/body/variants/${index}/text`,
        detail: `The notice of variant "${variant.id}" has ${bytes} bytes, its disclosures included.`,
      },
    ];
  });
  const errors = [...alone, ...long];
  const [first] = errors;
  if (first) {
    throw fail(
      'payload_too_large',
      `${first.detail} A notice may have ${NOTICE_BYTES} and is never cut: shorten the text.`,
      { limit: NOTICE_BYTES, errors },
    );
  }
}

export const noSuchCampaign = (): StoaError =>
  fail('not_found', 'There is no campaign with this id. GET /api/v1/campaigns lists them.');

/** Errors: `state_conflict` with the state. */
export function stateAfter(state: CampaignState, trigger: Trigger): CampaignState {
  if (state === 'draft' && machine.draft[trigger] === undefined)
    throw fail(
      'state_conflict',
      'It is a draft: prepare it first, which publishes its notices word for word.',
      { state },
    );
  return nextState(machine, state, trigger);
}

/** Errors: `capability_disabled` with `capability` `dispatch`. */
export function assertDispatching({ dispatch }: Pick<Installation, 'dispatch'>): void {
  if (!dispatch)
    throw fail(
      'capability_disabled',
      'This installation sends no notices now: DISPATCH_ENABLED is off.',
      { capability: 'dispatch' },
    );
}

/** What may be sent in a day and in all; null: there is no ceiling. */
export interface Limits {
  readonly daily: number | null;
  readonly total: number | null;
}

/** What a campaign has sent, here and elsewhere: on this day (UTC), and in all. */
export interface Sent {
  readonly today: number;
  readonly total: number;
}

const left = (limit: number | null, sent: number): number =>
  limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - sent);

/** How many notices may be sent now, one at least. Errors: `limit_exceeded` with `limit`. */
export function allowance({ daily, total }: Limits, sent: Sent): number {
  const [inAll, today] = [left(total, sent.total), left(daily, sent.today)];
  if (inAll === 0)
    throw fail(
      'limit_exceeded',
      `The campaign has sent ${sent.total} notices, all that its limits allow. Make another campaign.`,
      { limit: total },
    );
  if (today === 0)
    throw fail(
      'limit_exceeded',
      `The campaign has sent ${sent.today} notices today, all that its limits allow. Go on after midnight UTC.`,
      { limit: daily },
    );
  return Math.min(inAll, today);
}

/** What the receipt of a sending vouches for: the notice, word for word. The act is the installation's own. `concerns`: owners of rooms. */
export const noticed = (
  campaignId: string,
  text: string,
  concerns: readonly string[],
): PortableAct => ({
  kind: 'campaign.noticed',
  visibility: 'public',
  actorId: null,
  subject: { type: 'campaign', id: campaignId },
  contentSha256: sha256(text),
  concerns,
});

type Known = readonly { readonly id: string; readonly notice: string | null }[];

const noSuchVariant = (known: Known, id: string, pointer: string): StoaError =>
  invalid(
    pointer,
    `the campaign has no variant "${id}". It has: ${known.map((one) => one.id).join(', ')}`,
  );

/** Errors: `invalid_request` for a variant that the campaign has not. */
export function assertKnown(known: Known, wanted: readonly string[], pointer: string): void {
  for (const id of wanted)
    if (!known.some((one) => one.id === id)) throw noSuchVariant(known, id, pointer);
}

/** The notice of a variant of a campaign that is prepared. Errors: `invalid_request`. */
export function noticeFor(known: Known, id: string): string {
  const notice = known.find((one) => one.id === id)?.notice;
  if (notice == null) throw noSuchVariant(known, id, '/body/variantId');
  return notice;
}
