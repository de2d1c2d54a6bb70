import type { CheckpointFault } from './checkpoint.ts';

/** What can be wrong with a receipt, or with the keys that it is checked with. */
export type ReceiptFault =
  | CheckpointFault
  | 'not_a_receipt'
  | 'not_canonical'
  | 'digest_differs'
  | 'jws_malformed'
  | 'header_not_allowed'
  | 'jws_differs'
  | 'other_issuer'
  | 'key_set_malformed'
  | 'unknown_signing_key'
  | 'signing_key_malformed'
  | 'signature_wrong'
  | 'facts_differ'
  | 'not_in_log'
  | 'inclusion_wrong'
  | 'receipt_changed'
  | 'not_reachable';

/** A receipt is not valid, or cannot be checked; `code` says why. */
export class ReceiptError extends Error {
  readonly code: ReceiptFault;

  constructor(code: ReceiptFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReceiptError';
    this.code = code;
  }
}
