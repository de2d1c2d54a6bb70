export { checkCase } from './check-case.ts';
export { type CaseCheck, verifyCase } from './verify-case.ts';
