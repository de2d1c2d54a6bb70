/** Lists tasks about one subject without reading all others. */
export const tasksBySubject = `
CREATE INDEX tasks_of_subject ON tasks (subject_id, created_at DESC, id DESC)
  WHERE subject_id IS NOT NULL;
`;
