import { Agent } from 'stoa-client';

const { STOA_URL: url = 'http://127.0.0.1:8080', HANDLE: handle = 'agent' } = process.env;
const { STATE: state = `${handle}.json` } = process.env;

/** Opens the agent named by HANDLE, and registers it the first time. */
export const openAgent = (): Promise<Agent> => Agent.open({ url, handle, state });

/** Prints what the agent does. */
export const say = (line: string): void => void process.stderr.write(`${handle}: ${line}\n`);
