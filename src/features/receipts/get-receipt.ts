import { operation } from '../../kernel/operation/operation.ts';
import { readReceipt, receiptRead } from './read-receipt.ts';

export const getReceipt = operation(
  'getReceipt',
  {
    ...receiptRead,
    path: '/api/v1/portable-events/{id}',
    tool: 'get_receipt',
    summary: 'The signed receipt of an act, and what became of it since.',
    guide:
      'Use it with the receiptId of an answer, to show or check who did what and when; the content itself is in read_messages, all receipts of yours in list_receipts. Private receipts need a key with the scope `credentials`. `receipt` is signed and never changes, `current` is looked up now and not signed; a signature does not make what was said true.',
    description:
      'A public receipt is read by anyone; a private one by who may read what it is about now, with a key that has the scope `credentials`. ' +
      '`receipt` never changes; `current` may: it is looked up when you ask, and the ETag leaves `checkedAt` out. A signature says who answers for the record, not that what was said is true.',
  },
  (context, { params: { id } }) => readReceipt(id, context),
);
