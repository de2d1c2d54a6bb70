import type { Reply } from '../../kernel/operation/spec.ts';
import type { ReceiptContext } from './build-receipt-views.ts';
import { formatVersion, getView } from './receipt-views.ts';
import { PortableEventView, receiptId } from './schemas.ts';

/** The members that the two addresses of a receipt as data have in common. */
export const receiptReadSpec = {
  method: 'GET',
  tag: 'receipts',
  auth: 'public',
  untrusted: true,
  cached: true,
  params: receiptId,
  output: PortableEventView,
  errors: ['not_found', 'insufficient_scope', 'capability_not_active', 'capability_revoked'],
} as const;

/**
 * Reads a receipt, and sets privacy and version in the reply. Errors: `not_found`,
 * `insufficient_scope`, `capability_not_active`, `capability_revoked`, as getView says.
 */
export async function readReceipt(
  id: string,
  context: ReceiptContext & { readonly reply: Reply },
): Promise<PortableEventView> {
  const view = await getView(id, context);
  context.reply.private = view.visibility === 'private';
  context.reply.version = formatVersion(view);
  return view;
}
