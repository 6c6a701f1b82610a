import type { HistoryEntry, HistoryKind } from '../../../backend/modules/audit/history.api.js';
import { dayOf, formatLongDay, formatMoment } from '../lib/dates.js';
import { read } from '../lib/calls.js';
import { usePaged } from '../lib/paged.js';
import { currentPlace } from '../lib/tenant.js';
import { reads } from '../lib/topics.js';
import { useZone } from '../lib/zone.js';
import { InfiniteList } from '../ui/infinite-list.js';
import { Notice } from '../ui/notice.js';
import { Skeletons } from '../ui/states.js';
import classes from './history.module.css';

interface HistoryProps {
  kind: HistoryKind;
  /** By default the tenant, for what a trainer has once: settings, the public link, the Pix key. */
  id?: string;
  /** What had happened by this moment; default: all. */
  at?: string;
}

const HISTORY = reads('history', 'all');
/** What is recorded later does not change it. */
const PAST = reads('past-history', []);

/** Who did what, when, and what changed, newest first. */
export function History({ kind, id = currentPlace()?.tenantId ?? '', at }: HistoryProps) {
  const entries = usePaged(at ? [PAST, kind, id, at] : [HISTORY, kind, id], (cursor, signal) =>
    read('GET /history', { query: { subject: `${kind}:${id}`, at, cursor, limit: 20 }, signal }),
  );
  return (
    <InfiniteList
      of={entries}
      skeleton={<Skeletons count={3} height={44} />}
      empty={<Notice icon="history" title="Nenhum histórico ainda" />}
    >
      {(shown) => (
        <ol className={classes.entries}>
          {shown.map((entry) => (
            <Entry key={`${entry.posicao}-${entry.evento}`} entry={entry} />
          ))}
        </ol>
      )}
    </InfiniteList>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const zone = useZone();
  const who = entry.quem?.nome ?? (entry.quem ? 'Alguém' : 'Rende');
  return (
    <li className={classes.entry}>
      <p className={classes.what}>{entry.texto}</p>
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
