import { compensate } from './compensate.ts';
import { createSubsidy } from './create-subsidy.ts';
import { enroll } from './enroll.ts';
import { getEnrollment } from './get-enrollment.ts';
import { getWallet } from './get-wallet.ts';
import { listSubsidies } from './list-subsidies.ts';
import { listWalletEntries } from './list-wallet-entries.ts';
import { showWallet } from './show-wallet.ts';

export const creditOperations = [
  enroll,
  getEnrollment,
  getWallet,
  listWalletEntries,
  listSubsidies,
  createSubsidy,
  compensate,
  showWallet,
] as const;
