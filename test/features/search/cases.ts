import { everyone } from '../../operations/access.ts';
import { byAnyone } from '../../operations/inputs.ts';
import type { OperationCases } from '../../operations/operation-case.ts';

export const cases: OperationCases = {
  search: { call: byAnyone(() => ({ query: { q: 'hello' } })), access: everyone },
  showSearch: { call: byAnyone(() => ({ query: { q: 'hello' } })), access: everyone },
};
