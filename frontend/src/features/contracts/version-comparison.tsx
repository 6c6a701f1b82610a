import { diffWordsWithSpace } from 'diff';
import type { Contract } from '../../../../backend/modules/contracts/contracts.api.js';
import { mergeFields, replaceFields } from '../../../../backend/modules/contracts/merge-fields.api.js';
import { Quiet } from '../../ui/quiet.js';
import classes from './contracts.module.css';

/** Separates lines; not a line feed, which is a blank within a paragraph. */
const LINE = '\u2028';

/** The plain text: one line for each heading, paragraph and list item, with the addresses of links. */
function linesOf({ titulo, conteudo }: Contract['versoes'][number]): string {
  const { body } = new DOMParser().parseFromString(
    replaceFields(conteudo, (field) => `[${mergeFields[field]}]`),
    'text/html',
  );
  for (const link of body.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const address = link.getAttribute('href')!.replace(/^mailto:/, '');
    if (!link.textContent.includes(address)) link.append(` (${address})`);
  }
  for (const block of body.querySelectorAll('h1, h2, h3, p, li, br')) {
    block.before(LINE);
    block.after(LINE);
  }
  const lines = body.textContent.split(LINE).map((line) => line.replace(/\s+/g, ' ').trim());
  return [titulo, ...lines].filter((line) => line !== '').join('\n');
}

interface VersionComparisonProps {
  before: Contract['versoes'][number];
  after: Contract['versoes'][number];
}

/** What was added and removed between two versions. */
export default function VersionComparison({ before, after }: VersionComparisonProps) {
  const parts = diffWordsWithSpace(linesOf(before), linesOf(after));
  return (
    <div className={classes.comparison}>
      {parts.every(({ added, removed }) => !added && !removed) && (
        <Quiet size="sm">O texto das duas versões é igual.</Quiet>
      )}
      {parts.map(({ value, added, removed }, at) =>
        added ? (
          <ins key={at}>{value}</ins>
        ) : removed ? (
          <del key={at}>{value}</del>
        ) : (
          <span key={at}>{value}</span>
        ),
      )}
    </div>
  );
}
