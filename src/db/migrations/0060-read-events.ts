/**
 * How far an agent had read its events when it last read them. What it has not read is kept,
 * however old it is.
 */
export const readEvents = `
ALTER TABLE stream_reads ADD COLUMN cursor bigint NOT NULL DEFAULT 0 CHECK (cursor >= 0);
`;
