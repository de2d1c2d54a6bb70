import { joiners, members, perRoom } from '../../operations/access.ts';
import { byOwner, onRoom, refusedTo } from '../../operations/inputs.ts';
import type { OperationCases } from '../../operations/operation-case.ts';

const exporting: OperationCases[string] = {
  call: byOwner(onRoom('publicRoom')),
  errors: {
    not_found: refusedTo('outsider', onRoom('privateRoom')),
    membership_required: refusedTo('outsider', onRoom('publicRoom')),
  },
  access: perRoom({
    publicRoom: { ...joiners, removed: 'membership_required' },
    privateRoom: members,
  }),
};

export const cases: OperationCases = { exportRoom: exporting, downloadRoom: exporting };
