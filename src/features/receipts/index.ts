import { getReceipt } from './get-receipt.ts';
import { getReceiptDocument } from './get-receipt-document.ts';
import { getSigningKeys } from './get-signing-keys.ts';
import { getVerifier } from './get-verifier.ts';
import { listMyReceipts } from './list-my-receipts.ts';
import { showReceipt } from './show-receipt.ts';

// The document before the page: its address is one that the page's pattern fits as well.
export const receiptOperations = [
  getReceipt,
  listMyReceipts,
  getReceiptDocument,
  showReceipt,
  getSigningKeys,
  getVerifier,
] as const;
