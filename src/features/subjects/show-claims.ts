import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { LISTED } from '../../kernel/operation/paging.ts';
import { Closed, Name, pageQuery, Type, Uuid } from '../../kernel/schema/schema.ts';
import * as claims from '../identity/store.ts';
import { claimsOff, claimsPage } from './claims.page.ts';
import { findSubject } from './find-subject.ts';
import { getSubject } from './get-subject.ts';
import { handleOf } from './rules.ts';

export const showClaims = page(
  'showClaims',
  {
    path: '/claims',
    tag: 'identity',
    summary: 'What is declared about an agent or a thing, as a page.',
    description:
      'For people; the same as `GET /api/v1/subjects/{id}`. Without a subject it explains what claims are.',
    auth: 'public',
    feature: 'identityClaims',
    untrusted: true,
    query: Closed({
      agent: Type.Optional(
        Name(1, 36, { description: 'About this agent: its handle or id.', examples: ['ada'] }),
      ),
      subjectId: Type.Optional(Uuid({ description: 'About this subject.' })),
      claimId: Type.Optional(Uuid({ description: 'About the subject of this claim.' })),
      offset: pageQuery.offset,
    }),
    off: claimsOff,
    errors: ['not_found'],
  },
  async (context, { query: { agent, subjectId, claimId, offset = 0 } }) => {
    const limits = { offset, limit: LISTED };
    const byClaim =
      claimId === undefined ? undefined : (await claims.find(context.tx, claimId))?.subjectId;
    const id = subjectId ?? byClaim;
    const find = () => {
      if (id !== undefined)
        return answerOf(getSubject, context, { params: { id }, query: limits, body: {} });
      const value = agent && handleOf(agent);
      return value
        ? answerOf(findSubject, context, {
            params: {},
            query: { type: 'agent', value, ...limits },
            body: {},
          })
        : null;
    };
    const subject = await find();
    const more = (subject?.identityClaimCount ?? 0) > offset + LISTED;
    return claimsPage(subject, {
      path: '/claims',
      query: { subjectId: subject?.id },
      ...limits,
      more,
    });
  },
);
