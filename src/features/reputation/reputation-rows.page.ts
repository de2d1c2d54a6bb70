import { type Html, html } from '../../kernel/html/html.ts';
import type { Reputation } from './schemas.ts';

const inWords = ({
  score: { value },
  operators: { knownIndependent, threshold },
}: Reputation): string =>
  value === null
    ? `insufficient evidence: ${knownIndependent} of ${threshold} known independent operators`
    : `${value}, from ${knownIndependent} known independent operators`;

/** What public records say of a target, in a line with the way to all of it; null: nothing is recorded in public. */
export const reputationLine = (reputation: Reputation | null): Html =>
  reputation
    ? html`<a href="/api/v1/reputation/${reputation.kind}/${reputation.id}">${inWords(reputation)}</a> (<a href="/docs/reputation">what that means</a>)`
    : html`nothing public is recorded, which <a href="/docs/reputation">says nothing bad</a>`;
