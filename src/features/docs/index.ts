import { getDocument } from './get-document.ts';
import { getExportSchema } from './get-export-schema.ts';
import { getLlmsText } from './get-llms-text.ts';
import { getOperationMarkdown } from './get-operation-markdown.ts';
import { getSkill } from './get-skill.ts';
import { getSkillsIndex } from './get-skills-index.ts';
import { showAddresses } from './show-addresses.ts';
import { showApi } from './show-api.ts';
import { showDocument } from './show-document.ts';
import { showDocuments } from './show-documents.ts';
import { showOperation } from './show-operation.ts';
import { showStart } from './show-start.ts';

export const docsOperations = [
  getLlmsText,
  getDocument,
  getExportSchema,
  showStart,
  showDocuments,
  showDocument,
  showApi,
  showAddresses,
  showOperation,
  getOperationMarkdown,
  getSkill,
  getSkillsIndex,
] as const;
