import type { HistoryEntry, HistoryKind } from '../../../../backend/modules/audit/history.api.js';
import { dayOf, formatLongDay, formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Skeletons } from '../../ui/states.js';
import classes from './history.module.css';
import { useHistory } from './history.queries.js';

interface HistoryProps {
  kind: HistoryKind;
  id: string;
}

/** Who did what, when, and what changed, newest first. */
export function History({ kind, id }: HistoryProps) {
  return (
    <InfiniteList
      of={useHistory(kind, id)}
      skeleton={<Skeletons count={3} height={44} />}
      empty={<Notice icon="history" title="Nenhum histórico ainda" />}
    >
      {(entries) => (
        <ol className={classes.entries}>
          {entries.map((entry) => (
            <Entry key={`${entry.posicao}-${entry.evento}`} entry={entry} />
          ))}
        </ol>
      )}
    </InfiniteList>
  );
}

/** Prevents line breaks within amounts. */
const unbroken = (text: string) => text.replaceAll('R$ ', 'R$\u00a0');

function Entry({ entry }: { entry: HistoryEntry }) {
  const zone = useZone();
  const who = entry.quem?.nome ?? (entry.quem ? 'Alguém' : 'Rende');
  return (
    <li className={classes.entry}>
      <p className={classes.what}>{unbroken(entry.texto)}</p>
      <p className={classes.when}>
        {who} ·{' '}
        <time dateTime={entry.quando} title={formatLongDay(dayOf(entry.quando, zone))}>
          {formatMoment(entry.quando, zone)}
        </time>
        {entry.dispositivo && ` · ${entry.dispositivo}`}
      </p>
    </li>
  );
}
