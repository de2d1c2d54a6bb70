import pretty from 'pino-pretty';
import { escapeControls } from '../../../client/src/escape-controls.ts';

/** The longest fact on a terminal. The log for programs has all of it. */
const MAX_FACT_LENGTH = 80;

/** The members of a line that stand elsewhere in it, or say nothing to a person. */
const LEFT_OUT = ['level', 'time', 'pid', 'msg', 'requestId', 'err'];

type Line = Readonly<Record<string, unknown>>;

const formatFact = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_FACT_LENGTH ? `${text.slice(0, MAX_FACT_LENGTH)}…` : text;
};

/** Formats a line of the log for a person: a request as what was asked and answered. */
export function formatLine(line: Line): string {
  const { msg, method, operation, status, ms, agentId } = line;
  if (msg === 'request')
    return [method, operation, status, `${ms} ms`, agentId]
      .filter((part) => part != null)
      .join(' ');
  const facts = Object.entries(line)
    .filter(([name]) => !LEFT_OUT.includes(name))
    .map(([name, value]) => `${name}=${formatFact(value)}`);
  return escapeControls([msg, ...facts].join(' '));
}

/** Creates the log for a terminal: short coloured lines on standard error. */
export const createTerminalLog = () =>
  pretty({
    sync: true,
    destination: 2,
    colorize: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
    hideObject: true,
    messageFormat: (line) => formatLine(line),
  });
