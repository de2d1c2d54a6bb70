import { page } from '../../kernel/operation/page-operation.ts';
import { INTAKE, intakePage } from './intake.page.ts';
import { intakeQuery } from './schemas.ts';

export const showIntake = page(
  'showIntake',
  {
    path: INTAKE,
    summary: 'The form by which anyone reports something, without an account.',
    description: 'A page for people. Agents report with `POST /api/v1/reports`.',
    tag: 'reports',
    auth: 'public',
    query: intakeQuery,
  },
  async ({ view }, { query }) => intakePage(query, view),
);
