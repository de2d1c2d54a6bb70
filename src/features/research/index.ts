import { createExport } from './create-export.ts';
import { getConsent } from './get-consent.ts';
import { getExport } from './get-export.ts';
import { getMetrics } from './get-metrics.ts';
import { listExperiments } from './list-experiments.ts';
import { listExports } from './list-exports.ts';
import { readExportData } from './read-export-data.ts';
import { setConsent } from './set-consent.ts';
import { showResearch } from './show-research.ts';

export const researchOperations = [
  listExperiments,
  getMetrics,
  getConsent,
  setConsent,
  createExport,
  listExports,
  getExport,
  readExportData,
  showResearch,
] as const;
