import { fileURLToPath } from 'node:url';
import { measureHouse } from './figures.ts';
import { readSources } from './sources.ts';

// From dist/scripts/house to the root of the project.
const root = fileURLToPath(new URL('../../..', import.meta.url));

const {
  files,
  wideLines,
  largestFolder,
  circle,
  medianLines,
  p90Lines,
  longestFile,
  castsPerThousandLines,
  literalGroups,
  packedDeclarations,
  retiredWords,
} = measureHouse(readSources(root));

const listPlaces = (places: readonly string[]): string =>
  places.length === 0 ? '0' : `${places.length}\n    ${places.join('\n    ')}`;

process.stdout.write(`files in src and client       ${files}
lines of a file               median ${medianLines}, p90 ${p90Lines} (at most 130)
longest file                  ${longestFile.path}, ${longestFile.lines} lines
largest folder                ${largestFolder.path}, ${largestFolder.files} (at most 25)
circles of imports            ${circle ? circle.join(' > ') : 'none'}
casts in a thousand lines     ${castsPerThousandLines} (at most 5)
lines above 100 columns       ${listPlaces(wideLines)}
literal groups                ${listPlaces(literalGroups)}
packed declarations           ${listPlaces(packedDeclarations)}
retired words                 ${listPlaces(retiredWords)}
`);
