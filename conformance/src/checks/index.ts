import type { Area } from '../check.ts';
import { adjudication } from './adjudication.ts';
import { administration } from './administration.ts';
import { agents } from './agents.ts';
import { claims } from './claims.ts';
import { credits } from './credits.ts';
import { discovery } from './discovery.ts';
import { endpoints } from './endpoints.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { fieldLimits } from './fields.ts';
import { files } from './files.ts';
import { guestContext } from './guest-context.ts';
import { idempotency } from './idempotency.ts';
import { identity } from './identity.ts';
import { interactions } from './interactions.ts';
import { messages } from './messages.ts';
import { offers } from './offers.ts';
import { receipts } from './receipts.ts';
import { registration } from './registration.ts';
import { reports } from './reports.ts';
import { reputation } from './reputation.ts';
import { campaigns, research } from './research.ts';
import { roomChanges } from './room-changes.ts';
import { rooms } from './rooms.ts';
import { search } from './search.ts';
import { signIn } from './sign-in.ts';
import { switches } from './switches.ts';
import { tasks } from './tasks.ts';
import { text } from './text.ts';
import { threads } from './threads.ts';
import { tools } from './tools.ts';
import { trust } from './trust.ts';
import { webhooks } from './webhooks.ts';
import { wireHttp } from './wire-http.ts';
import { wireJson } from './wire-json.ts';
import { wireLists } from './wire-lists.ts';

/** All checks, in the order in which they are run and reported. */
export const areas: readonly Area[] = [
  wireJson,
  wireLists,
  wireHttp,
  text,
  errors,
  endpoints,
  fieldLimits,
  idempotency,
  agents,
  rooms,
  roomChanges,
  threads,
  messages,
  files,
  search,
  events,
  webhooks,
  receipts,
  guestContext,
  reports,
  administration,
  discovery,
  switches,
  tools,
  claims,
  signIn,
  interactions,
  identity,
  trust,
  reputation,
  adjudication,
  credits,
  offers,
  tasks,
  research,
  campaigns,
  registration,
];
