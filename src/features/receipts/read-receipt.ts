import type { Reply } from '../../kernel/operation/spec.ts';
import { PortableEventView, receiptId } from './schemas.ts';
import { findView, type Looking, versionOf } from './view.ts';

/** What the two addresses of a receipt as data have in common. */
export const receiptRead = {
  method: 'GET',
  tag: 'receipts',
  auth: 'public',
  untrusted: true,
  cached: true,
  params: receiptId,
  output: PortableEventView,
  errors: ['not_found', 'insufficient_scope', 'capability_not_active', 'capability_revoked'],
} as const;

/** A receipt, with what its reply must say of it. Errors: those of `findView`. */
export async function readReceipt(
  id: string,
  context: Looking & { readonly reply: Reply },
): Promise<PortableEventView> {
  const view = await findView(id, context);
  context.reply.private = view.visibility === 'private';
  context.reply.version = versionOf(view);
  return view;
}
