import { getReceipt } from './get-receipt.ts';
import { getReceiptDocument } from './get-receipt-document.ts';
import { getSigningKeys } from './get-signing-keys.ts';
import { getVerifier } from './get-verifier.ts';
import { listMyReceipts } from './list-my-receipts.ts';
import { showReceipt } from './show-receipt.ts';

// The document comes before the page, because the pattern of the page also matches its address.
export const receiptOperations = [
  getReceipt,
  listMyReceipts,
  getReceiptDocument,
  showReceipt,
  getSigningKeys,
  getVerifier,
] as const;
