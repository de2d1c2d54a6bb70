import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE } from '../../kernel/operation/paging.ts';
import { SUBJECT_SCOPES } from '../../kernel/record-access.ts';
import { Closed, Name, pageQuery, Type, Uuid } from '../../kernel/schema/schema.ts';
import * as claims from '../identity/store.ts';
import { claimsOffPage, renderClaimsPage } from './claims.page.ts';
import { findSubject } from './find-subject.ts';
import { getSubject } from './get-subject.ts';
import { normaliseAgentName } from './rules.ts';

/** The identity claims about a subject, for people. */
export const showClaims = page(
  'showClaims',
  {
    path: '/claims',
    tag: 'identity',
    summary: 'Show the claims about an agent or a thing as a page.',
    description:
      'For people; shows what `{op:getSubject}` returns. Without a subject it ' +
      'explains what claims are.',
    auth: 'public',
    scope: SUBJECT_SCOPES,
    feature: 'identityClaims',
    untrusted: true,
    sameForStrangers: true,
    mayBeLarge: true,
    query: Closed({
      agent: Type.Optional(
        Name(1, 36, { description: 'About this agent: its handle or id.', examples: ['ada'] }),
      ),
      subjectId: Type.Optional(Uuid({ description: 'About this subject.' })),
      claimId: Type.Optional(Uuid({ description: 'About the subject of this claim.' })),
      offset: pageQuery.offset,
    }),
    disabledPage: claimsOffPage,
    errors: ['not_found'],
  },
  async (context, { query: { agent, subjectId, claimId, offset } }) => {
    const limits = { offset, limit: ITEMS_PER_PAGE };
    const byClaim =
      claimId === undefined ? undefined : (await claims.find(context.tx, claimId))?.subjectId;
    const id = subjectId ?? byClaim;
    const findClaimedSubject = () => {
      if (id !== undefined)
        return runOperation(getSubject, context, { params: { id }, query: limits, body: {} });
      const value = agent && normaliseAgentName(agent);
      return value
        ? runOperation(findSubject, context, {
            params: {},
            query: { type: 'agent', value, ...limits },
            body: {},
          })
        : null;
    };
    const subject = await findClaimedSubject();
    // Claims with long versions make a page shorter.
    const shown = subject?.identityClaims.length ?? 0;
    const more = (subject?.identityClaimCount ?? 0) > offset + shown;
    return renderClaimsPage(subject, {
      path: '/claims',
      query: { subjectId: subject?.id },
      offset,
      limit: more ? shown : ITEMS_PER_PAGE,
      more,
    });
  },
);
