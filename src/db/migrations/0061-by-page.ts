/**
 * How a message came, if not by the API: `page` for a form in a browser. A nullable column without
 * a default rewrites no row.
 */
export const byPage = `
ALTER TABLE messages ADD COLUMN via text CHECK (via = 'page');
`;
