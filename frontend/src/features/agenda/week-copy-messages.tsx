import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WeekCopyPreview } from '../../../../backend/modules/agenda/week-copy.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useToday, useZone } from '../../lib/zone.js';
import type { Booked } from '../../parts/booked-message.js';
import { readAll, STUDENTS } from '../../parts/students.queries.js';
import { whatsAppOf } from '../../parts/whatsapp.js';
import { MessageCard } from '../../ui/message-card.js';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { copiedMessage } from './session-message.js';
import classes from './week-copy-panel.module.css';

/** A message for each student of copied hours, ready to be sent. */
export function CopyMessages({ hours }: { hours: readonly WeekCopyPreview['items'][number][] }) {
  const zone = useZone();
  const today = useToday();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const booked = new Map<string, [Booked, ...Booked[]]>();
  for (const { student_ids, inicio, location_nome } of hours)
    for (const id of student_ids)
      booked.set(id, [...(booked.get(id) ?? []), { inicio, location_nome }] as [Booked, ...Booked[]]);
  // Only active students are copied.
  const students = useQuery({
    queryKey: [STUDENTS, 'contacts'],
    queryFn: ({ signal }) => readAll({ q: '', standing: 'ativos' }, signal),
  });
  return (
    <Section title="Avisar alunos">
      <Async of={students} skeleton={<Skeletons count={2} height={120} />}>
        {(all) => (
          <div className={classes.messages}>
            {all.map((student) => {
              const { id, nome } = student;
              const sessions = booked.get(id);
              if (!sessions) return null;
              const text = copiedMessage(sessions, nome.split(' ')[0] ?? nome, { today, zone });
              return (
                <MessageCard
                  key={id}
                  name={nome}
                  fact={opened.has(id) ? 'Aberta' : plural(sessions.length, 'sessão', 'sessões')}
                  text={text}
                  link={whatsAppOf(student, text)}
                  onOpen={() => setOpened(new Set(opened).add(id))}
                />
              );
            })}
          </div>
        )}
      </Async>
    </Section>
  );
}
