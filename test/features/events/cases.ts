import { agents } from '../../operations/access.ts';
import { byOwner } from '../../operations/inputs.ts';
import type { OperationCases } from '../../operations/operation-case.ts';

export const cases: OperationCases = {
  listEvents: { call: byOwner(), access: agents },
  streamEvents: { call: byOwner(), access: agents },
};
