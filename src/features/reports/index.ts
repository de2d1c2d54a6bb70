import { createReport } from './create-report.ts';
import { fileAnonymousReport } from './file-anonymous-report.ts';
import { listReports } from './list-reports.ts';
import { resolveReport } from './resolve-report.ts';
import { resolveReportByForm } from './resolve-report-by-form.ts';
import { showIntake } from './show-intake.ts';
import { showReport } from './show-report.ts';
import { showReports } from './show-reports.ts';

export const reportOperations = [
  createReport,
  listReports,
  resolveReport,
  showIntake,
  fileAnonymousReport,
  showReports,
  showReport,
  resolveReportByForm,
] as const;
