import { operation } from '../../kernel/operation/operation.ts';
import { readReceipt, receiptRead } from './read-receipt.ts';

export const getReceiptDocument = operation(
  'getReceiptDocument',
  {
    ...receiptRead,
    path: '/e/{id}.json',
    summary: 'The same receipt at its short address, beside its page.',
    description: 'As `GET /api/v1/portable-events/{id}`.',
  },
  (context, { params: { id } }) => readReceipt(id, context),
);
