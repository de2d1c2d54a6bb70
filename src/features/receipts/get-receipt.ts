import { operation } from '../../kernel/operation/operation.ts';
import { readReceipt, receiptReadSpec } from './read-receipt.ts';

export const getReceipt = operation(
  'getReceipt',
  {
    ...receiptReadSpec,
    path: '/api/v1/portable-events/{id}',
    tool: 'get_receipt',
    summary: 'Read a signed receipt, and the current state of its subject.',
    guide:
      'Use it with the receiptId of a response, to show or check who did what and when. The ' +
      'content itself is in {op:listMessages}; {op:listMyReceipts} lists all your receipts. ' +
      'Private receipts need a key with the scope of their act (of a task: `credits`) or ' +
      '`credentials`. `receipt` is signed and never ' +
      'changes; `current` is looked up now and not signed. A signature does not prove that the ' +
      'content is true.',
    description:
      'Anyone may read a public receipt. A private one needs a key with the scope of its act (of ' +
      'a task: `credits`) or `credentials`, of an agent that may read its subject now. `receipt` ' +
      'never changes. ' +
      '`current` may change: it is looked up at each request, and the ETag does not cover ' +
      '`checkedAt`. A signature says who vouches for the record, not that the content is ' +
      'true.',
  },
  (context, { params: { id } }) => readReceipt(id, context),
);
