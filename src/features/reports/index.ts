import { createReport } from './create-report.ts';
import { fileAnonymousReport } from './file-anonymous-report.ts';
import { listReports } from './list-reports.ts';
import { resolveReport } from './resolve-report.ts';
import { showIntake } from './show-intake.ts';

export const reportOperations = [createReport, listReports, resolveReport, showIntake, fileAnonymousReport] as const;
