import { type Html, html } from '../../kernel/html/html.ts';
import {
  formatNumber,
  renderDay,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import type { Subsidy } from './subsidies.schemas.ts';

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
)}`;
