import { escapeXml, XML_HEAD } from '../../kernel/html/xml/xml.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';

const MEDIA_TYPE = 'application/opensearchdescription+xml; charset=utf-8';

/** The longest ShortName and Description that OpenSearch 1.1 allows. */
const MAX_SHORT_NAME = 16;

const cut = (text: string, length: number): string => [...text].slice(0, length).join('').trimEnd();

export const getOpenSearch = content(
  'getOpenSearch',
  {
    method: 'GET',
    path: '/opensearch.xml',
    tag: 'discovery',
    summary: 'Get the description of the search (OpenSearch 1.1), for the field of a browser.',
    auth: 'public',
    cached: true,
    cacheFor: 86_400,
    media: MEDIA_TYPE,
    examples: {
      output:
        '<?xml version="1.0" encoding="utf-8"?>\n' +
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n' +
        '<ShortName>Stoa</ShortName>\n</OpenSearchDescription>\n',
    },
  },
  async ({ installation: { baseUrl, face } }) => {
    const base = escapeXml(baseUrl);
    return buildTextContent(
      MEDIA_TYPE,
      `${XML_HEAD}<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escapeXml(cut(face.name, MAX_SHORT_NAME))}</ShortName>
<Description>Search what is public on ${escapeXml(face.name)}.</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image type="image/svg+xml">${base}/favicon.ico</Image>
<Url type="text/html" method="get" template="${base}/search?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${base}/opensearch.xml"/>
</OpenSearchDescription>
`,
    );
  },
);
