import { type Html, html } from '../../kernel/html/html.ts';
import { renderMeta, renderName, renderTag } from '../../kernel/html/page-parts.ts';
import { formatNumber } from '../../kernel/html/page-text.ts';
import { renderDay } from '../../kernel/html/page-times.ts';
import type { Subsidy } from './subsidies.schemas.ts';

const describeLeft = ({ perTask, perOperator, perDay }: NonNullable<Subsidy['leftForMe']>) => {
  const limits = [perTask, perOperator, perDay].filter((left) => left !== null);
  return limits.length > 0 && `a task of yours now gets up to ${formatNumber(Math.min(...limits))}`;
};

/** Renders a grant as a row of a list. */
export const renderGrant = ({
  name: grantName,
  state,
  amount,
  remaining,
  reserved,
  paid,
  withdrawn,
  perTask,
  perOperator,
  perDay,
  leftForMe,
  expiresAt,
  createdAt,
}: Subsidy): Html => html`<strong>${renderName(grantName)}</strong> ${renderTag(state)}
${renderMeta(
  `${formatNumber(amount)} issued`,
  `${formatNumber(remaining)} remaining`,
  `${formatNumber(reserved)} reserved`,
  `${formatNumber(paid)} paid`,
  withdrawn > 0 && `${formatNumber(withdrawn)} taken back`,
)}
${renderMeta(
  html`since ${renderDay(createdAt)}`,
  expiresAt && html`until ${renderDay(expiresAt)}`,
  perTask !== null && `at most ${formatNumber(perTask)} a task`,
  perOperator !== null && `at most ${formatNumber(perOperator)} an operator`,
  perDay !== null && `at most ${formatNumber(perDay)} a day`,
  leftForMe && describeLeft(leftForMe),
)}`;
