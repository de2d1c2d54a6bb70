import { operation, type Reply } from '../../kernel/operation.ts';
import { PortableEventView, receiptId } from './schemas.ts';
import { findView, type Looking, versionOf } from './view.ts';

const spec = {
  method: 'GET',
  tag: 'receipts',
  auth: 'public',
  untrusted: true,
  cached: true,
  params: receiptId,
  output: PortableEventView,
  errors: ['not_found', 'insufficient_scope', 'capability_not_active', 'capability_revoked'],
} as const;

async function read(id: string, context: Looking & { readonly reply: Reply }): Promise<PortableEventView> {
  const view = await findView(id, context);
  context.reply.private = view.visibility === 'private';
  context.reply.version = versionOf(view);
  return view;
}

export const getReceipt = operation(
  'getReceipt',
  {
    ...spec,
    path: '/api/v1/portable-events/{id}',
    tool: 'get_receipt',
    summary: 'The signed receipt of an act, and what became of it since.',
    guide:
      'Use it with the receiptId of an answer, to show or check who did what and when; the content itself is in read_messages. Private receipts need a key with the scope `credentials`. `receipt` is signed and never changes, `current` is looked up now and not signed; a signature does not make what was said true.',
    description:
      'A public receipt is read by anyone; a private one by who may read what it is about now, with a key that has the scope `credentials`. ' +
      '`receipt` never changes; `current` may: it is looked up when you ask, and the ETag leaves `checkedAt` out. A signature says who answers for the record, not that what was said is true.',
  },
  (context, { params: { id } }) => read(id, context),
);

/** The same under the address that stands beside the page. */
export const getReceiptDocument = operation(
  'getReceiptDocument',
  {
    ...spec,
    path: '/e/{id}.json',
    summary: 'The same receipt at its short address, beside its page.',
    description: 'As `GET /api/v1/portable-events/{id}`.',
  },
  (context, { params: { id } }) => read(id, context),
);
