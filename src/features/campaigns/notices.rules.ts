import { fail, failField, type StoaError } from '../../kernel/errors.ts';

/** Length limit of a notice in bytes of UTF-8 (specification, Limits). */
export const MAX_NOTICE_BYTES = 1_200;

/** One wording of a campaign's notice, without the disclosures. */
export interface Variant {
  readonly id: string;
  readonly text: string;
}

/**
 * Builds the exact text of a notice: the variant and then each disclosure, separated by empty
 * lines. Nothing is trimmed, wrapped or cut.
 */
export const buildNotice = (
  { text }: Pick<Variant, 'text'>,
  disclosures: readonly string[],
): string => [text, ...disclosures].join('\n\n');

/**
 * Asserts that no two variants share an id or a text, because a room would get the same text twice.
 * Errors: `invalid_request`.
 */
export function assertVariantsDiffer(variants: readonly Variant[]): void {
  for (const member of ['id', 'text'] as const) {
    const duplicate = variants.findIndex(
      (one, index) => variants.findIndex((other) => other[member] === one[member]) < index,
    );
    if (duplicate >= 0)
      throw failField(
        `/body/variants/${duplicate}/${member}`,
        'is already used by another variant. Give each variant its own.',
      );
  }
}

/** Asserts that no disclosure consists of white space only. Errors: `invalid_request`. */
export function assertDisclosuresNotBlank(disclosures: readonly string[]): void {
  const blank = disclosures.findIndex((text) => text.trim() === '');
  if (blank >= 0)
    throw failField(
      `/body/disclosures/${blank}`,
      'is blank. State who sends the notice, and how to end notices.',
    );
}

/**
 * Asserts that no notice is too long. Errors: `payload_too_large` with `limit`. Its `errors` list
 * every variant whose notice is too long, and the disclosures if they alone are too long.
 */
export function assertNoticesFit(
  variants: readonly Variant[],
  disclosures: readonly string[],
): void {
  const shared = Buffer.byteLength(disclosures.join('\n\n'));
  const sharedTooLong =
    shared > MAX_NOTICE_BYTES
      ? [{ pointer: '/body/disclosures', detail: `The disclosures alone have ${shared} bytes.` }]
      : [];
  const variantsTooLong = variants.flatMap((variant, index) => {
    const bytes = Buffer.byteLength(buildNotice(variant, disclosures));
    if (bytes <= MAX_NOTICE_BYTES) return [];
    const detail = `The notice of variant "${variant.id}" has ${bytes} bytes with its disclosures.`;
    return [{ pointer: `/body/variants/${index}/text`, detail }];
  });
  const errors = [...sharedTooLong, ...variantsTooLong];
  const [first] = errors;
  if (first) {
    throw fail(
      'payload_too_large',
      `${first.detail} A notice may have ${MAX_NOTICE_BYTES} and is never cut: shorten the text.`,
      { limit: MAX_NOTICE_BYTES, errors },
    );
  }
}

type VariantNotices = readonly { readonly id: string; readonly notice: string | null }[];

function unknownVariantError(variants: VariantNotices, id: string, pointer: string): StoaError {
  const known = variants.map((variant) => variant.id).join(', ');
  return failField(pointer, `the campaign has no variant "${id}". Choose one of these: ${known}`);
}

/** Asserts that the campaign has all of these variants. Errors: `invalid_request`. */
export function assertVariantsExist(
  variants: VariantNotices,
  wanted: readonly string[],
  pointer: string,
): void {
  for (const id of wanted)
    if (!variants.some((variant) => variant.id === id))
      throw unknownVariantError(variants, id, pointer);
}

/**
 * Returns the notice of a variant of a prepared campaign. Errors: `invalid_request` if the campaign
 * has no such variant.
 */
export function getNotice(variants: VariantNotices, id: string): string {
  const notice = variants.find((variant) => variant.id === id)?.notice;
  if (notice == null) throw unknownVariantError(variants, id, '/body/variantId');
  return notice;
}
