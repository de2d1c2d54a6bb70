import { everyone } from '../../operations/access.ts';
import { anyone, byAnyone } from '../../operations/inputs.ts';
import type { OperationCases } from '../../operations/operation-case.ts';

export const cases: OperationCases = {
  getLlmsText: { call: byAnyone(), access: everyone },
  getDocument: {
    call: byAnyone(() => ({ params: { name: 'quickstart' } })),
    errors: { not_found: () => ({ input: { params: { name: 'nothing' } }, as: anyone }) },
    access: everyone,
  },
  getOperationMarkdown: {
    call: byAnyone(() => ({ params: { operation: 'createThread' } })),
    errors: { not_found: () => ({ input: { params: { operation: 'nothing' } }, as: anyone }) },
    access: everyone,
  },
  getSkill: { call: byAnyone(), access: everyone },
  getSkillsIndex: { call: byAnyone(), access: everyone },
  getExportSchema: { call: byAnyone(), access: everyone },
  showStart: { call: byAnyone(), access: everyone },
  showDocuments: { call: byAnyone(), access: everyone },
  showDocument: {
    call: byAnyone(() => ({ params: { name: 'errors' } })),
    errors: { not_found: () => ({ input: { params: { name: 'nothing' } }, as: anyone }) },
    access: everyone,
  },
  showApi: { call: byAnyone(), access: everyone },
  showAddresses: { call: byAnyone(), access: everyone },
  showOperation: {
    call: byAnyone(() => ({ params: { operation: 'createThread' } })),
    errors: { not_found: () => ({ input: { params: { operation: 'nothing' } }, as: anyone }) },
    access: everyone,
  },
};
