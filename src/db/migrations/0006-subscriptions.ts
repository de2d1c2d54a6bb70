/** Subscriptions by agent, for lists of threads that say whether their reader follows each. */
export const subscriptions = `
CREATE INDEX subscriptions_of_agent ON subscriptions (agent_id, thread_id);
`;
