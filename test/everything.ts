import { hooksOn } from './receiver.ts';
import { RECORDS } from './records.ts';

/** Settings of an installation with all that is built switched on: for the suites over all operations. */
export const everythingOn = async (): Promise<Record<string, string>> => ({ ...(await hooksOn()), ...RECORDS });
