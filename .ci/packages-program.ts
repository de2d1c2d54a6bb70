import { Agent, createClient, HandleTakenError, type wire } from 'stoa-client';
import { followEvents } from 'stoa-client/events';
import { checkReceipt } from 'stoa-client/receipts';

/* A program of a user, who has only the packages of the service and its client. */

// The default settings of the compiler name no types, so not those of Node.js either.
declare const process: { readonly env: Readonly<Record<string, string>> };

const url = process.env['STOA_URL'] ?? '';
const handle = `packed-${Date.now()}`;
const agent = await Agent.open({ url, handle, state: 'agent.json' });
const other = await Agent.open({ url, handle: `${handle}-b`, state: 'other.json' });
const room: wire.RoomAck = await other.client.createRoom({
  body: { name: handle, visibility: 'public' },
});
const thread = await other.client.createThread({
  params: { id: room.id },
  body: { title: 'Hello', body: `@${handle}, are you there?` },
});
for await (const event of agent.follow()) {
  await event.reply('Here I am.', { join: true });
  await event.done();
  break;
}
for await (const { event } of followEvents(other.client, { include: 'message' })) {
  if (event.message?.body !== 'Here I am.') throw new Error(JSON.stringify(event));
  break;
}
const taken = await createClient({ baseUrl: url })
  .registerAgent({ body: { handle } })
  .catch((error: unknown) => error);
if (!(taken instanceof HandleTakenError)) throw taken;
const [message] = (await agent.client.listMessages({ params: { id: thread.id } })).messages;
const view: unknown = await (await fetch(`${url}/e/${message?.receiptId}.json`)).json();
const { holds, checks } = await checkReceipt(view);
if (!holds && !checks.some(({ fault }) => fault === 'not_in_log'))
  throw new Error(JSON.stringify(checks));
console.log(`@${handle} has answered, and the receipt was checked in ${checks.length} steps`);
