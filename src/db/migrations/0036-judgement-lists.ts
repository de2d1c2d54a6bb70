/** What reviewers and parties look for: the cases that they opened, are parties to, or voted in. */
export const judgementLists = `
CREATE INDEX adjudication_ballots_of_voter ON adjudication_ballots (voter_id);
CREATE INDEX adjudication_cases_of_opener ON adjudication_cases (opened_by)
  WHERE opened_by IS NOT NULL;
CREATE INDEX adjudication_rounds_of_opener ON adjudication_rounds ((frozen->>'openedBy'));
CREATE INDEX adjudication_cases_of_party ON adjudication_cases USING gin (parties);
`;
