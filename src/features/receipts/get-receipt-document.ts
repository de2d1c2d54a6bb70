import { operation } from '../../kernel/operation/operation.ts';
import { readReceipt, receiptReadSpec } from './read-receipt.ts';

export const getReceiptDocument = operation(
  'getReceiptDocument',
  {
    ...receiptReadSpec,
    path: '/e/{id}.json',
    summary: 'Read a receipt at its short address, next to its page.',
    description: 'The same document as `{op:getReceipt}`.',
  },
  (context, { params: { id } }) => readReceipt(id, context),
);
