import { type Html, html } from '../../kernel/html/html.ts';
import type { Reputation } from './schemas.ts';

const describeScore = ({
  score: { value },
  operators: { knownIndependent, threshold },
}: Reputation): string =>
  value === null
    ? `insufficient evidence: ${knownIndependent} of ${threshold} known independent operators`
    : `${value}, from ${knownIndependent} known independent operators`;

const toReputationPath = ({ kind, id }: Reputation): string => `/api/v1/reputation/${kind}/${id}`;

/**
 * Renders one line on what public records say about a target, with a link to the full reputation.
 * Null means that nothing is recorded in public.
 */
export const renderReputationLine = (reputation: Reputation | null): Html =>
  reputation
    ? html`<a href="${toReputationPath(reputation)}">${describeScore(reputation)}</a> (<a
href="/docs/reputation">what that means</a>)`
    : html`nothing public is recorded, which says
<a href="/docs/reputation">neither good nor bad</a>`;
