import type { Queryable } from '../../db/database.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import * as claims from '../identity/claim-pages.store.ts';
import * as reputation from '../reputation/store.ts';
import { buildReputationUrl } from './rules.ts';
import type { Subject } from './schemas.ts';
import type { SubjectRow } from './store.ts';

/**
 * Converts a subject to what is shown of it, with a page of its identity claims. What belongs to a
 * capability that is switched off is not shown: its counts are 0, its list is empty.
 */
export async function toSubject(
  row: SubjectRow,
  { tx, installation }: { readonly tx: Queryable; readonly installation: Installation },
  page: Pick<ListPage, 'offset' | 'limit'>,
): Promise<Subject> {
  const { features } = installation;
  const [identityClaims, recorded] = await Promise.all([
    features.identityClaims ? claims.list(tx, row.id, page) : [],
    reputation.summarize(tx, row.id, features.adjudication),
  ]);
  const isReputationShown = features.reputation && recorded?.hasReputation === true;
  return {
    ...row,
    interactionCount: features.interactions ? (recorded?.interactionCount ?? 0) : 0,
    identityClaimCount: features.identityClaims ? row.identityClaimCount : 0,
    reputationUrl: isReputationShown ? buildReputationUrl(row.id, installation) : null,
    identityClaims,
  };
}
