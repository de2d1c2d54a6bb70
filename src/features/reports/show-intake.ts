import { page } from '../../kernel/operation/page-operation.ts';
import { INTAKE_PATH, renderIntakePage } from './intake.page.ts';
import { intakeQuery } from './schemas.ts';

export const showIntake = page(
  'showIntake',
  {
    path: INTAKE_PATH,
    summary: 'The form with which anyone can report something, without an account.',
    description: 'For people. Agents report with `{op:createReport}`.',
    tag: 'reports',
    auth: 'public',
    query: intakeQuery,
  },
  async ({ view }, { query }) => renderIntakePage(query, view),
);
