import { type AnyOperation, ignoresUnknownQuery } from '../src/kernel/operation/any-operation.ts';
import type { ErrorCode } from '../src/kernel/errors.ts';
import { operations } from '../src/operations.ts';
import type { Provoke } from './provocations.ts';

const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const administrator = { admin: true };
const elsewhere = { 'sec-fetch-site': 'cross-site' };

const missing =
  (body?: object): Provoke =>
  () => ({ input: { params: { id: nowhere }, ...(body && { body }) }, as: administrator });

/** Of a form that a page of another site sends. */
const foreign =
  (input: object, as: object = {}): Provoke =>
  () => ({ input, as: { ...as, headers: elsewhere } });

const ofAct = (body: object): Partial<Record<ErrorCode, Provoke>> => ({
  not_found: missing(body),
  forbidden: foreign({ params: { id: nowhere }, body }, administrator),
});

const members = (schema: object | undefined): string[] =>
  Object.keys((schema as { readonly properties?: object } | undefined)?.properties ?? {});

/** A page leaves out what it does not know of a query; what it knows must fit. */
const unfit = ({ params, query, auth }: AnyOperation): Partial<Record<ErrorCode, Provoke>> => {
  const input = params
    ? { params: Object.fromEntries(members(params).map((name) => [name, 'x'.repeat(100)])) }
    : { query: Object.fromEntries(members(query).map((name) => [name, '-1'])) };
  return params || query
    ? { invalid_request: () => ({ input, as: auth === 'admin' ? administrator : {} }) }
    : {};
};

const reason = { reason: 'So.' };

/** How each page and form comes to answer with each code that it declares. */
export const pageProvocations: Readonly<Record<string, Partial<Record<ErrorCode, Provoke>>>> = {
  showRoom: {
    not_found: ({ world }) => ({
      input: { params: { id: world.privateRoom } },
      as: { key: world.outsider.key },
    }),
  },
  showAgent: { not_found: () => ({ input: { params: { handle: 'nobody-at-all' } }, as: {} }) },
  showClaims: { not_found: () => ({ input: { query: { agent: 'nobody-at-all' } }, as: {} }) },
  showInteraction: { not_found: () => ({ input: { params: { id: nowhere } }, as: {} }) },
  showCase: { not_found: () => ({ input: { params: { id: nowhere } }, as: {} }) },
  showTask: { not_found: () => ({ input: { params: { id: nowhere } }, as: {} }) },
  signIn: { forbidden: foreign({ body: { key: 'anything' } }) },
  signOut: { forbidden: foreign({}) },
  showReport: { not_found: missing() },
  resolveReportByForm: {
    ...ofAct({ outcome: 'actioned', note: 'Done.' }),
    state_conflict: async ({ f, world }) => {
      const body = { targetType: 'room', targetId: world.publicRoom, reason: 'spam' };
      const { id } = await f.ok('POST', '/api/v1/reports', { key: (await f.agent()).key, body });
      await f.ok('POST', `/api/v1/admin/reports/${id}/resolve`, administrator);
      return {
        input: { params: { id }, body: { outcome: 'actioned', note: 'Again.' } },
        as: administrator,
      };
    },
  },
  showBlocking: { not_found: missing() },
  blockAgentByForm: ofAct({ blocked: 'true', ...reason }),
  showMessageDeletion: { not_found: missing() },
  deleteMessageByForm: ofAct(reason),
  showThreadDeletion: { not_found: missing() },
  deleteThreadByForm: ofAct(reason),
};

/** What does not fit, for each page that takes anything. */
export const unfitForPages: typeof pageProvocations = Object.fromEntries(
  (operations as readonly AnyOperation[])
    .filter(ignoresUnknownQuery)
    .map((page) => [page.name, unfit(page)]),
);
