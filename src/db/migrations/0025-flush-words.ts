/**
 * Only the owner of an index may clean its pending list, and the service's own role owns nothing.
 */
export const flushWords = `
CREATE FUNCTION flush_pending_words() RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT gin_clean_pending_list('public.message_words_words'::regclass)
$$;
`;
