export { type CheckOptions, checkReceipt } from './check-receipt.ts';
export {
  type Checkpoint,
  CheckpointError,
  type CheckpointFault,
  openCheckpoint,
} from './checkpoint.ts';
export {
  type Consistency,
  computeEntry,
  type Inclusion,
  verifyConsistency,
  verifyInclusion,
} from './verify-merkle.ts';
export {
  type Check,
  type CheckedView,
  checkCurrent,
  ReceiptError,
  type ReceiptFault,
  type Trust,
  type Verdict,
  verifyReceipt,
} from './verify-receipt.ts';
