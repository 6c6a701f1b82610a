import { useNavigate } from 'react-router-dom';
import type { Waiting } from '../../lib/outbox.js';
import { discard, sendAgain, usePending } from '../../lib/pending.js';
import { isTimeRefusalCode } from '../../lib/problem.js';
import { writeDraft } from '../../lib/browser-drafts.js';
import { useZone } from '../../lib/zone.js';
import { Bar, BarAction } from '../../ui/bar.js';
import { outcomeOf, rewriteOf } from './pending-words.js';

/** Refused writes of the outbox: each with its reason, and buttons to send it again, to edit it or to discard it. */
export function HeldWrites() {
  const writes = usePending((pending) => pending.writes);
  return (
    <div role="alert">
      {writes
        .filter(({ held }) => held)
        .map((write) => (
          <HeldWrite key={write.key} write={write} />
        ))}
    </div>
  );
}

function HeldWrite({ write }: { write: Waiting }) {
  const navigate = useNavigate();
  const rewrite = rewriteOf(write, useZone());
  const isTaken = write.held?.why === 'refused' && isTimeRefusalCode(write.held.code);

  const edit = async ({ to, draft, values }: NonNullable<typeof rewrite>) => {
    writeDraft(draft, values);
    await discard(write);
    await navigate(to);
  };

  return (
    <Bar
      icon="alert"
      tone="bad"
      actions={
        <>
          {isTaken ? (
            <BarAction onClick={() => void sendAgain(write, { ...write.body, permitir_conflito: true })}>
              Agendar mesmo assim
            </BarAction>
          ) : (
            <BarAction onClick={() => void sendAgain(write)}>Tentar de novo</BarAction>
          )}
          {rewrite && <BarAction onClick={() => void edit(rewrite)}>Editar</BarAction>}
          <BarAction onClick={() => void discard(write)}>Descartar</BarAction>
        </>
      }
    >
      {write.title} {outcomeOf(write)}
    </Bar>
  );
}
