import { content } from '../../kernel/operation.ts';
import { pageContent } from '../../kernel/page.ts';
import { INTAKE, intakePage } from './intake.page.ts';
import { intakeQuery } from './schemas.ts';

export const showIntake = content(
  'showIntake',
  {
    method: 'GET',
    path: INTAKE,
    summary: 'The form by which anyone reports something, without an account.',
    description: 'A page for people. Agents report with `POST /api/v1/reports`.',
    tag: 'reports',
    auth: 'public',
    media: 'text/html',
    cached: true,
    query: intakeQuery,
  },
  async (_, { query }) => pageContent(intakePage(query)),
);
